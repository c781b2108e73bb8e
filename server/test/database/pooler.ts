import { connectTo } from '../kit/databaseProxy.js';
import { startRawReceiver } from '../kit/rawReceiver.js';
import { postgresRefusal } from './postgresMessage.js';

/** The startup parameters that PgBouncer takes, with those that its `ignore_startup_parameters` does not name refused. */
const taken =
  /^(user|database|client_encoding|DateStyle|TimeZone|standard_conforming_strings|application_name)$/i;

/** Stands in for PgBouncer as far as a connection's start goes; resolves with its URL. */
export async function startPooler(url: string): Promise<string> {
  const target = new URL(url);
  const { port } = await startRawReceiver((client) => {
    client.once('data', (startup) => {
      // After its length and the version of the protocol: names and values by turns, each with a zero behind.
      const names = startup
        .toString('latin1', 8)
        .split('\0')
        .filter((_, at) => at % 2 === 0 && _ !== '');
      const refused = names.find((name) => !taken.test(name));
      if (refused) return client.end(postgresRefusal('08P01', `unsupported startup parameter: ${refused}`));
      const upstream = connectTo(target);
      upstream.on('error', () => {});
      upstream.write(startup);
      return client.pipe(upstream).pipe(client);
    });
  });
  return `postgres://${target.username}@127.0.0.1:${port}${target.pathname}`;
}
