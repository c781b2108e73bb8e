import type { Command } from 'commander';
import { issueKey } from '../teams/issueKey.js';
import { listKeys, revokeKey } from '../teams/sql/apiKey.js';
import { decodeId, encodeId } from '../values/ids.js';
import { table, teamSubcommand, unknownId, withTeam, withTypeId } from './command.js';
import type { CommandIo } from './io.js';
import { requireName } from './newTeam.js';

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
        const name = options.name ? requireName(options.name) : null;
        const { id, key, lastFour } = await issueKey(sql, team.id, { mode, name });
        const keyId = encodeId('key', id);
        return {
          json: { id: keyId, key, mode, name, lastFour },
          text: `${key}\nCopy it now: only its hash is stored. Its id is ${keyId}.`,
        };
      }),
    );

  teamSubcommand(
    key,
    'list',
    'Lists a team’s keys. Of each key it shows only the last four characters.',
    'key list --team team_…',
  ).action(
    withTeam(io, async ({ sql, team }) => {
      const keys = (await listKeys(sql, team.id)).map((row) => withTypeId('key', row));
      const rows = keys.map((row) => [
        row.id,
        row.name,
        row.mode,
        `…${row.lastFour}`,
        row.createdAt.toISOString(),
        row.revokedAt?.toISOString() ?? null,
      ]);
      return { json: keys, text: table(['ID', 'NAME', 'MODE', 'KEY', 'CREATED', 'REVOKED'], rows) };
    }),
  );

  teamSubcommand(
    key,
    'revoke',
    'Revokes a key. It stops working immediately.',
    'key revoke --team team_… key_…',
  )
    .argument('<key-id>', 'its id, from key list')
    .action(
      withTeam(io, async ({ sql, team }, options, keyId) => {
        const id = decodeId('key', keyId!);
        if (!id || !(await revokeKey(sql, team.id, id))) {
          throw unknownId('key', keyId!, { list: 'key list', team: options.team });
        }
        return { json: { id: keyId, revoked: true }, text: `Revoked ${keyId}.` };
      }),
    );
}
