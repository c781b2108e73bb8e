import { makeConsoleLink, newAccessToken } from '../../src/console/access/consoleAccess.js';
import { decodeId, newUuid } from '../../src/values/ids.js';
import { textOf } from './html.js';
import { sendTo, type TestServer } from './server.js';

type ConsoleServer = Pick<TestServer, 'sql' | 'url'>;

/** Makes a link to a team's console, and returns its token. */
export async function linkToken(
  { sql, url }: ConsoleServer,
  teamId: string,
  chosen: { validMs?: number; isReadOnly?: boolean } = {},
): Promise<string> {
  const link = await makeConsoleLink(sql, { publicUrl: url, teamId: decodeId('team', teamId)!, ...chosen });
  return new URL(link.url).hash.slice(1);
}

/** Posts a form as a page of this server does, unless the headers differ. */
export function postForm(
  url: string,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string | undefined> = {},
) {
  const all = {
    origin: new URL(url).origin,
    'content-type': 'application/x-www-form-urlencoded',
    ...headers,
  };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return sendTo(new URL(path, url), 'POST', {
    headers: Object.fromEntries(sent),
    body: String(new URLSearchParams(fields)),
  });
}

let addresses = 0;

/** Opens a link by its token, as its page does. Each request has another address, because each has few attempts a minute. */
export const openLink = ({ url }: Pick<TestServer, 'url'>, token: string, cookie = '', userAgent?: string) =>
  postForm(
    url,
    '/console/sign-in',
    { token },
    {
      cookie: `${cookie}; orderbeacon_probe=1; __Host-orderbeacon_probe=1`,
      'x-forwarded-for': `10.0.0.${++addresses % 256}`,
      'user-agent': userAgent,
    },
  );

/** Signs a browser in to a team's console, without a link. Resolves with functions that send its requests. */
export async function signIn(server: ConsoleServer, teamId: string, { isReadOnly = false } = {}) {
  const team = decodeId('team', teamId)!;
  const { token, hash } = newAccessToken(team, isReadOnly);
  await server.sql`
    insert into console_session (team_id, hash, id, is_read_only, created_at, last_seen_at, expires_at)
    values (${team}, ${hash}, ${newUuid()}, ${isReadOnly}, now(), now(), now() + interval '30 days')`;
  // Over https the cookie has the other name.
  const cookie = `orderbeacon_${teamId}=${token}; __Host-orderbeacon_${teamId}=${token}`;
  const home = `/console/${teamId}`;
  /** Adds the team to a path such as `/console/orders`. */
  const ofTeam = (path: string) => path.replace(/^\/console(?!\/(assets|sign-in|team_))/, home);

  const get = (path: string, headers: Record<string, string> = {}, url = server.url) =>
    sendTo(new URL(ofTeam(path), url), 'GET', { headers: { cookie, ...headers } });

  const submit = (
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string | undefined>,
  ) => postForm(server.url, ofTeam(path), fields, { cookie, ...headers });

  /** Reads the visible text of a page. */
  const read = async (path: string, headers?: Record<string, string>) =>
    textOf((await get(path, headers)).text);

  return {
    cookie,
    get,
    read,
    home,
    submit,
    /** Sends a form of a page. Resolves with the visible text of the answer or, after a redirect, of the next page. */
    async press(path: string, fields: Record<string, string> = {}) {
      const { headers, text } = await submit(path, fields);
      const next = headers.get('location');
      if (next === null) return textOf(text);
      // The first cookie of the answer holds the message of what was done.
      const given = (headers.get('set-cookie') ?? '').split(';')[0];
      return read(next, { cookie: `${cookie}; ${given}` });
    },
  };
}
