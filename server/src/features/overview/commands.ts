import type { Command } from 'commander';
import { commandOf, teamSubcommand, withTeam } from '../../commands/command.js';
import type { CommandServices } from '../../host/host.js';
import { sumDays } from './sumDays.js';

/** Adds the command `orderbeacon team recount`. */
export function addRecountCommand(program: Command, { io }: CommandServices): void {
  teamSubcommand(
    commandOf(program, 'team'),
    'recount',
    'Adds up the console’s figures of all days again, from the orders. A server does so by itself for days whose orders change; only changes by hand need this.',
    'team recount --team team_…',
  ).action(
    withTeam(io, async ({ sql, team }) => {
      const days = await sumDays(sql, team.id, { again: Number.POSITIVE_INFINITY });
      return { json: { days }, text: `Counted ${days} ${days === 1 ? 'day' : 'days'}.` };
    }),
  );
}
