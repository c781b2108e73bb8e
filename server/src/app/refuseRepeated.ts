import type { Command } from 'commander';

/**
 * Makes a command and all below it refuse an option that is given again, and one beside its opposite, where commander
 * drops the first without a word. Options that take several values collect them, and a flag may be repeated.
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
