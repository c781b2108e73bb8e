import type { Command } from 'commander';
import { requireTeam, subcommand, teamSubcommand, UsageError, withDatabase } from '../commands/command.js';
import { endWithNpm } from '../commands/endWithNpm.js';
import { type CommandIo, note, print } from '../commands/io.js';
import { noteUnknownSettings, openForCommand } from '../commands/openForCommand.js';
import { chooseServerUrl } from '../commands/serverUrl.js';
import { readConfig } from '../config.js';
import { loadSdkFiles } from '../core/script/sdkFiles.js';
import { confirmationHtml, noPin, scriptHtml, tagHtml } from '../core/script/tag.js';
import { migrate } from '../database/migrate.js';
import { nameMigrations } from '../database/migrations.js';
import type { Distribution } from '../host/distribution.js';
import { command } from '../values/command.js';

/** Adds `orderbeacon serve`, `orderbeacon migrate` and `orderbeacon tag`. */
export function addServerCommands(
  program: Command,
  io: CommandIo,
  distribution: Distribution | undefined,
): void {
  const server = program
    .command('serve')
    .description(
      'Runs the server until SIGTERM or SIGINT. Settings come from the environment. See guides/settings.md.',
    )
    .addHelpText('after', `\nExample:\n  ${command} serve`);
  server.action(async () => {
    const config = readConfig(io.env);
    noteUnknownSettings(io);
    endWithNpm(io.env);
    // Loaded here, because every other command starts in half the time without the server's libraries.
    const { serve } = await import('./serve.js');
    // A server continues without its output, as it does without its log.
    io.stdout.removeAllListeners('error').on('error', () => {});
    await serve(config, (line) => void io.stdout.write(`${line}\n`));
  });

  const migrating = subcommand(
    program,
    'migrate',
    'Brings the database up to date, and creates the embedded one if it does not exist. Only migrate and serve do this.',
    'migrate',
  );
  if (distribution) migrating.option('--distribute', distribution.distributeHelp);
  migrating.action(async (options: { json?: boolean; distribute?: boolean }) => {
    const database = await openForCommand(io, readConfig(io.env), { poolSize: 2 });
    try {
      const applied = await migrate(database.sql, undefined, {
        notify: (line) => note(io, line),
        migrated: distribution?.migrated,
      });
      const distributed = options.distribute
        ? await distribution?.distribute(database.sql, (line) => note(io, line))
        : undefined;
      const lines = [
        applied.length === 0 ? 'Nothing to apply.' : `Applied ${nameMigrations(applied)}.`,
        distributed &&
          (distributed.length === 0 ? 'Nothing to distribute.' : `Distributed ${distributed.join(', ')}.`),
      ];
      const text = lines.filter(Boolean).join('\n');
      await print(io, `${options.json ? JSON.stringify({ applied, distributed }) : text}\n`);
    } finally {
      await database.close();
    }
  });

  teamSubcommand(
    program,
    'tag',
    'Prints the HTML to paste: one line for every page, a few for the confirmation page.',
    'tag --team team_…',
  )
    .option(
      '--pin',
      'pins the tag to this version with an integrity hash; to change the version, paste a new tag',
    )
    .action(
      withDatabase<{ team: string; pin?: boolean }>(io, async ({ config, ...database }, options) => {
        const { currency } = await requireTeam(database, options.team);
        const publicUrl = await chooseServerUrl(database.sql, config);
        const pinnedTo = options.pin ? (await loadSdkFiles()).pin : undefined;
        if (pinnedTo === null) throw new UsageError(noPin);
        const parts = { publicUrl, teamId: options.team, currency, pinnedTo };
        const html = tagHtml(parts);
        return {
          json: {
            html,
            everyPage: scriptHtml(parts),
            confirmationPage: confirmationHtml(currency ?? undefined),
          },
          text: html,
        };
      }),
    );
}
