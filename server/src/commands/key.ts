import type { Command } from 'commander';
import { issueKey } from '../core/teams/issueKey.js';
import { listKeys, revokeKey } from '../core/teams/sql/apiKey.js';
import { encodeId } from '../values/ids.js';
import { teamSubcommand, withTeam, withTypeId } from './command.js';
import type { CommandIo } from './io.js';
import { requireName } from './options.js';
import { addList, addRemove } from './resource.js';

/** `orderbeacon key …` */
export function addKeyCommands(program: Command, io: CommandIo): void {
  const key = program.command('key').description('API keys for backends. A team can have several.');

  teamSubcommand(
    key,
    'create',
    'Creates an API key and shows it once.',
    'key create --team team_… --name webhook',
  )
    .option('--test', 'orders reported with it are tests')
    .option('--name <name>', 'the purpose of the key')
    .action(
      withTeam<{ test?: boolean; name?: string }>(io, async ({ sql, team }, options) => {
        const mode = options.test ? 'test' : 'live';
        const name = options.name === undefined ? null : requireName(options.name);
        const { id, key, lastFour } = await issueKey(sql, team.id, { mode, name });
        const keyId = encodeId('key', id);
        return {
          json: { id: keyId, key, mode, name, lastFour },
          text: `${key}\nCopy it now: only its hash is stored. Its id is ${keyId}.`,
        };
      }),
    );

  addList(key, io, {
    description: 'Lists a team’s keys. Of each key it shows only the last four characters.',
    read: async ({ sql, team }) => (await listKeys(sql, team.id)).map((row) => withTypeId('key', row)),
    columns: {
      ID: (row) => row.id,
      NAME: (row) => row.name,
      MODE: (row) => row.mode,
      KEY: (row) => `…${row.lastFour}`,
      CREATED: (row) => row.createdAt,
      REVOKED: (row) => row.revokedAt,
    },
  });
  addRemove(key, io, {
    verb: 'revoke',
    description: 'Revokes a key. It stops working immediately.',
    prefix: 'key',
    noun: 'key',
    remove: ({ sql, team }, id) => revokeKey(sql, team.id, id),
  });
}
