import type { Command } from 'commander';
import { issueSigningKey } from '../core/teams/issueKey.js';
import { listSigningKeys, revokeSigningKey, signingKeysAtMost } from '../core/teams/sql/signingKey.js';
import { encodeId } from '../values/ids.js';
import { teamSubcommand, UsageError, withTeam, withTypeId } from './command.js';
import type { CommandIo } from './io.js';
import { requireName } from './options.js';
import { addList, addRemove } from './resource.js';

/** `orderbeacon signing-key …` */
export function addSigningKeyCommands(program: Command, io: CommandIo): void {
  const signingKey = program
    .command('signing-key')
    .description(
      'Keys with which a shop’s server signs the orders of its pages. A signed order counts like one of a backend.',
    );

  teamSubcommand(
    signingKey,
    'create',
    'Creates a signing key and shows it once. A team can have 5 live ones, so that you can replace one.',
    'signing-key create --team team_… --name shop',
  )
    .option('--test', 'it signs orders of test domains only; without it, those of live domains only')
    .option('--name <name>', 'the purpose of the key')
    .action(
      withTeam<{ test?: boolean; name?: string }>(io, async ({ sql, team }, options) => {
        const isTest = options.test ?? false;
        const name = options.name === undefined ? null : requireName(options.name);
        const issued = await issueSigningKey(sql, team.id, { isTest, name });
        if (!issued)
          throw new UsageError(`This team has ${signingKeysAtMost} live signing keys. Revoke one first.`);
        const id = encodeId('sig', issued.id);
        return {
          json: { id, key: issued.key, isTest, name },
          text: `${issued.key}\nCopy it now: it is not shown again. Keep it on your server. Its id is ${id}.`,
        };
      }),
    );

  addList(signingKey, io, {
    description: 'Lists a team’s signing keys. Of each key it shows only the last four characters.',
    read: async ({ sql, team }) => (await listSigningKeys(sql, team.id)).map((row) => withTypeId('sig', row)),
    columns: {
      ID: (row) => row.id,
      NAME: (row) => row.name,
      MODE: (row) => (row.isTest ? 'test' : 'live'),
      KEY: (row) => `…${row.lastFour}`,
      CREATED: (row) => row.createdAt,
      REVOKED: (row) => row.revokedAt,
    },
  });
  addRemove(signingKey, io, {
    verb: 'revoke',
    description: 'Revokes a signing key. Orders that it signed are refused immediately, and kept.',
    prefix: 'sig',
    noun: 'signing key',
    remove: ({ sql, team }, id) => revokeSigningKey(sql, team.id, id),
  });
}
