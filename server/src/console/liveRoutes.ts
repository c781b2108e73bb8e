import { Hono } from 'hono';
import type { InTurn } from '../database/turns.js';
import { createBoundedMap } from '../values/boundedMap.js';
import type { Uuid } from '../values/ids.js';
import type { ConsoleEnv } from './context.js';
import type { Section } from './section.js';
import { findNews, type NewsRow } from './sql/findNews.js';

/** Time for which requests share the result of one statement. */
const sharedMs = 1000;
/** Teams whose last result is remembered; some 200 bytes each. */
const teamsRemembered = 1_000;

/**
 * Route of `GET …/live`: the version of the team's newest data, a space, and its time in milliseconds (`NewsRow`). A visible
 * page asks every 2 s, and fetches itself if the version has changed. The server runs at most one statement a second for a
 * team, however many pages ask.
 */
export function liveRoutes(inTurn: InTurn, sections: readonly Pick<Section, 'news'>[]): Hono<ConsoleEnv> {
  const looks = createBoundedMap<{ atMs: number; news: Promise<NewsRow> }>(teamsRemembered);

  function look(teamId: Uuid): Promise<NewsRow> {
    const atMs = performance.now();
    const last = looks.get(teamId);
    if (last && atMs - last.atMs < sharedMs) return last.news;
    const news = inTurn(teamId, (sql) => findNews(sql, teamId, sections));
    looks.set(teamId, { atMs, news });
    return news;
  }

  return new Hono<ConsoleEnv>().get('/', async (c) => {
    const { version, latestAt } = await look(c.var.session.teamId);
    return c.text(`${version} ${latestAt}`);
  });
}
