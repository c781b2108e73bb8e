import type { Command } from 'commander';
import { issueSigningKey } from '../teams/issueKey.js';
import { listSigningKeys, revokeSigningKey, signingKeysAtMost } from '../teams/sql/signingKey.js';
import { decodeId, encodeId } from '../values/ids.js';
import { table, teamSubcommand, UsageError, unknownId, withTeam, withTypeId } from './command.js';
import type { CommandIo } from './io.js';
import { requireName } from './newTeam.js';

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
        const name = options.name ? requireName(options.name) : null;
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

  teamSubcommand(
    signingKey,
    'list',
    'Lists a team’s signing keys. Of each key it shows only the last four characters.',
    'signing-key list --team team_…',
  ).action(
    withTeam(io, async ({ sql, team }) => {
      const keys = (await listSigningKeys(sql, team.id)).map((row) => withTypeId('sig', row));
      const rows = keys.map((row) => [
        row.id,
        row.name,
        row.isTest ? 'test' : 'live',
        `…${row.lastFour}`,
        row.createdAt.toISOString(),
        row.revokedAt?.toISOString() ?? null,
      ]);
      return { json: keys, text: table(['ID', 'NAME', 'MODE', 'KEY', 'CREATED', 'REVOKED'], rows) };
    }),
  );

  teamSubcommand(
    signingKey,
    'revoke',
    'Revokes a signing key. Orders that it signed are refused immediately, and kept.',
    'signing-key revoke --team team_… sig_…',
  )
    .argument('<key-id>', 'its id, from signing-key list')
    .action(
      withTeam(io, async ({ sql, team }, options, keyId) => {
        const id = decodeId('sig', keyId!);
        if (!id || !(await revokeSigningKey(sql, team.id, id))) {
          throw unknownId('signing key', keyId!, { list: 'signing-key list', team: options.team });
        }
        return { json: { id: keyId, revoked: true }, text: `Revoked ${keyId}.` };
      }),
    );
}
