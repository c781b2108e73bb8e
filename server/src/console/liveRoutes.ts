import { Hono } from 'hono';
import type { InTurn } from '../database/turns.js';
import { createBoundedMap } from '../values/boundedMap.js';
import type { Uuid } from '../values/ids.js';
import type { ConsoleEnv } from './context.js';
import type { Section } from './section.js';
import { findNews, type NewsRow } from './sql/findNews.js';

/** A look is shared for this long. */
const sharedMs = 1000;
/** Teams whose last look is remembered; some 200 bytes each. */
const teamsRemembered = 1_000;

/**
 * `GET …/live`: the version of what is newest of a team, a space, and its time in milliseconds; see `NewsRow`. A page that somebody
 * looks at asks every 2 s, and fetches itself when the version is another. A server looks once a second for a team, however many pages ask.
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
