import type { Command } from 'commander';
import type { TestOrderbeacon, TestOrderbeaconOptions } from '../../../testing/index.js';
import { subcommand } from '../../commands/command.js';
import { readDomain } from '../../commands/domain.js';
import { endWithNpm } from '../../commands/endWithNpm.js';
import { type CommandIo, print } from '../../commands/io.js';
import { readConfig } from '../../config.js';
import { stopSignal } from '../../values/stopSignal.js';

type StartOrderbeacon = (options: TestOrderbeaconOptions) => Promise<TestOrderbeacon>;

/**
 * Adds the command `orderbeacon testing`.
 * @param loadStart loads the server, without whose libraries every other command starts in half the time
 */
export function addTestingCommand(
  program: Command,
  io: CommandIo,
  loadStart: () => Promise<StartOrderbeacon>,
): void {
  subcommand(
    program,
    'testing',
    "Runs a throwaway server for a shop's own tests until SIGTERM or SIGINT, with a team and a key. Its data is removed.",
    'testing --domain localhost --json',
  )
    .option('--domain <domain...>', 'hosts whose pages may report; default: localhost and 127.0.0.1')
    .action(async ({ domain, json }: { domain?: string[]; json?: boolean }) => {
      const config = readConfig(io.env);
      // By default any free port: the usual one, or one in a settings file, may be that of a server on this machine.
      const port = io.env.PORT?.trim() ? config.port : 0;
      const domains = domain?.map((each) => readDomain(each));
      endWithNpm(io.env);
      const stopAsked = stopSignal();
      const startOrderbeacon = await loadStart();
      const { url, teamId, apiKey, scriptHtml, stop } = await startOrderbeacon({
        port,
        host: config.host,
        ...(domains && { domains }),
      });
      const facts = { url, teamId, apiKey, scriptHtml };
      const lines = Object.entries(facts).map(([name, value]) => `${name}: ${value}`);
      await print(io, `${json ? JSON.stringify(facts) : lines.join('\n')}\n`);
      await stopAsked;
      await stop();
    });
}
