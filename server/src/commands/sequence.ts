import type { Command } from 'commander';
import { createSequence, listSequences } from '../core/people/sql/sequence.js';
import { encodeId, newUuid } from '../values/ids.js';
import { teamSubcommand, withTeam, withTypeId } from './command.js';
import type { CommandIo } from './io.js';
import { requireName } from './options.js';
import { addList } from './resource.js';

/** `orderbeacon sequence …` */
export function addSequenceCommands(program: Command, io: CommandIo): void {
  const sequence = program.command('sequence').description('Email sequences that people can be enrolled in.');

  teamSubcommand(
    sequence,
    'create',
    'Creates an email sequence.',
    'sequence create --team team_… --name "Welcome"',
  )
    .requiredOption('--name <name>', 'the name that lists show')
    .action(
      withTeam<{ name: string }>(io, async ({ sql, team }, options) => {
        const row = { id: newUuid(), name: requireName(options.name) };
        await createSequence(sql, team.id, row);
        return { json: withTypeId('seq', row), text: `Created ${encodeId('seq', row.id)}.` };
      }),
    );

  addList(sequence, io, {
    description: 'Lists the email sequences.',
    read: async ({ sql, team }) => (await listSequences(sql, team.id)).map((row) => withTypeId('seq', row)),
    columns: { ID: (row) => row.id, NAME: (row) => row.name, ENROLLED: (row) => row.enrolled },
  });
}
