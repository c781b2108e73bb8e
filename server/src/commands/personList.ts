import type { Command } from 'commander';
import { listPeople } from '../people/sql/person.js';
import { sanitizeForTerminal } from '../values/sanitizeForTerminal.js';
import { teamSubcommand, withTeam, withTypeId } from './command.js';
import { type CommandIo, print } from './io.js';
import { batchRows } from './orderExport.js';

interface Listed {
  id: string;
  email: string;
  name: string | null;
}

/** Start, rows and end of a list that is written while it is read. */
interface Layout {
  start: string;
  rows(people: Listed[], isFirst: boolean): string;
  end: string;
  none: string;
}

/** `orderbeacon person list`: writes while it reads, because a list of 200,000 people is too long for one text. */
export function addPersonList(person: Command, io: CommandIo): void {
  teamSubcommand(person, 'list', 'Lists the people, sorted by email.', 'person list --team team_…').action(
    withTeam<{ json?: boolean }>(io, async ({ sql, team }, options) => {
      const layout = options.json ? jsonLayout : createTableLayout();
      let isFirst = true;
      for await (const rows of listPeople(sql, team.id).cursor(batchRows)) {
        if (rows.length === 0) continue;
        const people = rows.map(({ id, email, name }) => withTypeId('ppl', { id, email, name }));
        await print(io, (isFirst ? layout.start : '') + layout.rows(people, isFirst));
        isFirst = false;
      }
      await print(io, isFirst ? layout.none : layout.end);
      return undefined;
    }),
  );
}

const jsonLayout: Layout = {
  start: '[\n',
  rows: (people, isFirst) =>
    (isFirst ? '' : ',\n') + people.map((row) => `  ${JSON.stringify(row)}`).join(',\n'),
  end: '\n]\n',
  none: '[]\n',
};

/** Layout of a table as wide as its widest email so far. */
function createTableLayout(): Layout {
  let width = 0;
  const line = (id: string, email: string, name: string) =>
    `${id.padEnd(30)}  ${email.padEnd(width)}  ${name}\n`;
  return {
    start: '',
    rows(people, isFirst) {
      const cells = people.map(
        (row) => [row.id, ...[row.email, row.name ?? '-'].map(sanitizeForTerminal)] as const,
      );
      for (const [, email] of cells) width = Math.max(width, email!.length);
      const heading = isFirst ? line('ID', 'EMAIL', 'NAME') : '';
      return heading + cells.map(([id, email, name]) => line(id, email!, name!)).join('');
    },
    end: '',
    none: 'None.\n',
  };
}
