import { connectTo } from '../kit/databaseProxy.js';
import { startRawReceiver } from '../kit/rawReceiver.js';
import { postgresRefusal } from './postgresMessage.js';

/** Matches the startup parameters that PgBouncer accepts. It refuses others unless `ignore_startup_parameters` names them. */
const taken =
  /^(user|database|client_encoding|DateStyle|TimeZone|standard_conforming_strings|application_name)$/i;

/** Starts a stand-in of PgBouncer for the start of a connection. Resolves with its URL. */
export async function startPooler(url: string): Promise<string> {
  const target = new URL(url);
  const { port } = await startRawReceiver((client) => {
    client.once('data', (startup) => {
      // After the length and the protocol's version, names and values alternate, each with a zero at its end.
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
