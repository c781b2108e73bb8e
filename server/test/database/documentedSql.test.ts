import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { connect } from '../../src/database/connection/connect.js';
import { testPostgres } from '../kit/database.js';
import { blocks, type ExampleBlock } from '../kit/documentation.js';
import { itOffCitus } from '../kit/offCitus.js';
import { withDatabase } from '../kit/withDatabase.js';

const examples = blocks.filter(({ kind }) => kind === 'sql');

/** Matches errors of a PostgreSQL without Citus: the extension and its functions do not exist. */
const ofCitus =
  /^(?:extension "citus" is not available|function (?:citus_\w+|run_command_on_workers)\(.*\) does not exist)$/;

/**
 * Runs the statements of an example, with another name for the role and the database, and removes both. After psql's `\c` it
 * continues in that database. Returns the errors of PostgreSQL.
 */
async function runStatements({ code }: ExampleBlock, url: string): Promise<string[]> {
  const name = `example_${randomBytes(6).toString('hex')}`;
  const statements = code.replaceAll(/\borderbeacon\b/g, name).replace(/^\\c .*$/gm, 'reconnect;');
  const errors: string[] = [];
  let sql = connect(url, 1);
  // Only the first guide creates the role.
  if (!code.includes('create role')) await sql`create role ${sql(name)}`;
  for (const statement of statements
    .split(';')
    .map((text) => text.trim())
    .filter(Boolean)) {
    if (statement === 'reconnect') {
      await sql.end();
      sql = connect(withDatabase(url, name), 1);
    } else {
      await sql.unsafe(statement).catch((error) => errors.push(error.message));
    }
  }
  await sql.end();
  const admin = connect(url, 1);
  await admin`drop database if exists ${admin(name)}`;
  await admin`drop role if exists ${admin(name)}`;
  await admin.end();
  return errors;
}

itOffCitus('a database is made on every node there')(
  'each SQL statement of the documentation is one that PostgreSQL runs, or one that Citus adds',
  async () => {
    const [url] = (await testPostgres()).machines;
    expect(examples.length).toBeGreaterThan(2);
    for (const example of examples) {
      const errors = await runStatements(example, url!);
      const ofOthers = errors.filter((message) => !ofCitus.test(message));
      expect([example.path, ofOthers]).toEqual([example.path, []]);
    }
  },
);
