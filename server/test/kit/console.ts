import { makeConsoleLink, newAccessToken } from '../../src/console/access/consoleAccess.js';
import { decodeId, newUuid } from '../../src/values/ids.js';
import { textOf } from './html.js';
import { sendTo, type TestServer } from './server.js';

type ConsoleServer = Pick<TestServer, 'sql' | 'url'>;

/** The token of a new link to a team's console. */
export async function linkToken(
  { sql, url }: ConsoleServer,
  teamId: string,
  chosen: { validMs?: number; isReadOnly?: boolean } = {},
): Promise<string> {
  const link = await makeConsoleLink(sql, { publicUrl: url, teamId: decodeId('team', teamId)!, ...chosen });
  return new URL(link.url).hash.slice(1);
}

/** Posts a form as a page of this server does, unless the headers say otherwise. */
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

/** Opens a link by its token, as its page does. Each comes from another address, which has few attempts a minute. */
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

/** A browser that is signed in to a team's console, as far as HTTP goes, without a link. */
export async function signIn(server: ConsoleServer, teamId: string, { isReadOnly = false } = {}) {
  const team = decodeId('team', teamId)!;
  const { token, hash } = newAccessToken(team, isReadOnly);
  await server.sql`
    insert into console_session (team_id, hash, id, is_read_only, created_at, last_seen_at, expires_at)
    values (${team}, ${hash}, ${newUuid()}, ${isReadOnly}, now(), now(), now() + interval '30 days')`;
  // The name is another one over https.
  const cookie = `orderbeacon_${teamId}=${token}; __Host-orderbeacon_${teamId}=${token}`;
  const home = `/console/${teamId}`;
  /** Completes a path such as `/console/orders` by the team. */
  const ofTeam = (path: string) => path.replace(/^\/console(?!\/(assets|sign-in|team_))/, home);

  const get = (path: string, headers: Record<string, string> = {}, url = server.url) =>
    sendTo(new URL(ofTeam(path), url), 'GET', { headers: { cookie, ...headers } });

  const submit = (
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string | undefined>,
  ) => postForm(server.url, ofTeam(path), fields, { cookie, ...headers });

  /** The visible text of a page. */
  const read = async (path: string, headers?: Record<string, string>) =>
    textOf((await get(path, headers)).text);

  return {
    cookie,
    get,
    read,
    home,
    submit,
    /** Sends a form of a page. Resolves with the visible text of what is answered, or of where the answer leads. */
    async press(path: string, fields: Record<string, string> = {}) {
      const { headers, text } = await submit(path, fields);
      const next = headers.get('location');
      if (next === null) return textOf(text);
      // Of the cookies it gives, the one that says what was done.
      const given = (headers.get('set-cookie') ?? '').split(';')[0];
      return read(next, { cookie: `${cookie}; ${given}` });
    },
  };
}
