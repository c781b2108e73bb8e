import { makeConsoleLink } from '../src/teams/consoleLink.js';
import { decodeId } from '../src/values/ids.js';
import { textOf } from './html.js';
import { sendTo, type TestServer } from './server.js';

type ConsoleServer = Pick<TestServer, 'sql' | 'url'>;

/** The token of a new link to a team's console. */
export async function linkToken(
  { sql, url }: ConsoleServer,
  teamId: string,
  validMs?: number,
): Promise<string> {
  const link = await makeConsoleLink(sql, {
    publicUrl: url,
    teamId: decodeId('team', teamId)!,
    ...(validMs !== undefined && { validMs }),
  });
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

/** A browser that is signed in to a team's console, as far as HTTP goes. */
export async function signIn(server: ConsoleServer, teamId: string) {
  const { headers, status } = await postForm(server.url, '/console/sign-in', {
    token: await linkToken(server, teamId),
  });
  if (status !== 303) throw new Error(`Signing in was answered with ${status}.`);
  const cookie = headers.get('set-cookie')!.split(';')[0]!;

  const get = (path: string, headers: Record<string, string> = {}, url = server.url) =>
    sendTo(new URL(path, url), 'GET', { headers: { cookie, ...headers } });

  /** The token that every form of this session's pages carries. */
  async function formToken() {
    token ??= /name="formToken" value="([^"]+)"/.exec((await get('/console/setup')).text)![1]!;
    return token;
  }
  let token: string | undefined;

  const post = (path: string, fields: Record<string, string>, headers?: Record<string, string | undefined>) =>
    postForm(server.url, path, fields, { cookie, ...headers });

  return {
    cookie,
    get,
    /** The visible text of a page. */
    read: async (path: string) => textOf((await get(path)).text),
    formToken,
    post,
    /** Sends a form of a page, with its token. */
    submit: async (path: string, fields: Record<string, string>) =>
      post(path, { ...fields, formToken: await formToken() }),
  };
}
