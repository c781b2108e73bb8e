import type { Command } from 'commander';

/**
 * Makes a command and its subcommands refuse an option that is given twice, or together with its opposite. Commander would silently
 * drop the first. Options with several values collect them, and flags may be repeated.
 */
export function refuseRepeated(command: Command): void {
  const given = new Map<string, string>();
  for (const option of command.options.filter((each) => !each.variadic)) {
    command.on(`option:${option.name()}`, () => {
      const before = given.get(option.attributeName());
      given.set(option.attributeName(), option.long!);
      if (before === undefined || (before === option.long && option.isBoolean())) return;
      command.error(
        before === option.long
          ? `error: option '${option.long}' is given twice, and takes one value`
          : `error: option '${option.long}' cannot be used with option '${before}'`,
      );
    });
  }
  command.commands.forEach(refuseRepeated);
}
