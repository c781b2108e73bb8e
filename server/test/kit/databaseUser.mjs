// A process that uses the embedded database in a folder, for tests that kill it. It prints `open` or an error, answers each
// line of SQL with a line of JSON, and closes when its input ends.
import { createInterface } from 'node:readline';
import { openDatabase } from '../../dist/database/openDatabase.js';

try {
  const notify = (line) => console.log(JSON.stringify({ said: line }));
  const database = await openDatabase({ databaseUrl: null, dataDir: process.argv[2] }, { notify });
  console.log(JSON.stringify('open'));
  for await (const line of createInterface({ input: process.stdin })) {
    const answer = await database.sql.unsafe(line).catch((error) => ({ error: error.message }));
    console.log(JSON.stringify(answer));
  }
  await database.close();
} catch (error) {
  console.log(JSON.stringify({ refused: error.name, message: error.message }));
}
