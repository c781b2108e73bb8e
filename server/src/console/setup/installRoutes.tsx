import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { scriptHtml } from '../../core/script/tag.js';
import { encodeId } from '../../values/ids.js';
import type { ConsoleDeps } from '../consoleDeps.js';
import type { ConsoleContext, ConsoleEnv } from '../context.js';
import { pageOrders } from '../sql/shownOrders.js';
import { Install, readPlatform } from './install.js';
import { loadSetup, renderSetup } from './setupPage.js';

/** Number of orders that are shown below the check, for a person who tries their page. */
const ordersToTry = 5;
/** Number of newest orders, of both modes, among which these are looked for. */
const ordersToTryOf = 2_000;

/** Route of `GET …/setup/install`: the tag for each platform, and the orders that arrive now. */
export function installRoutes(deps: ConsoleDeps): Hono<ConsoleEnv> {
  return new Hono<ConsoleEnv>().get('/', (c) => renderInstall(c, deps));
}

/**
 * Answers with the page Install of Setup.
 * @param answer.panel replaces the panels before the orders, after a form of one of them was posted
 */
export async function renderInstall(
  c: ConsoleContext,
  { parts, publicUrl, sdk }: ConsoleDeps,
  answer?: { panel: Child; isRefused: boolean },
): Promise<Response> {
  const { query, session, isTest } = c.var;
  const platform = readPlatform(c.req.query('platform'));
  const [setup, orders, insteadOfPieces, belowPieces, beforeTrying, nothingCame] = await Promise.all([
    loadSetup(c, parts),
    query(pageOrders, { isTest }, { before: null, limit: ordersToTry, lookAtMost: ordersToTryOf }),
    parts.draw('insteadOfPieces', c),
    parts.draw('belowPieces', c),
    answer ? [answer.panel] : parts.draw('beforeTrying', c),
    parts.draw('nothingCame', c),
  ]);
  const tag = { publicUrl: publicUrl(), teamId: encodeId('team', session.teamId) };
  return renderSetup(c, setup, {
    title: 'Install',
    isRefused: answer?.isRefused ?? false,
    content: (
      <Install
        {...tag}
        platform={platform}
        pinned={sdk.pin && scriptHtml({ ...tag, pinnedTo: sdk.pin })}
        drawn={{ insteadOfPieces, belowPieces, beforeTrying, nothingCame }}
        orders={orders}
        domains={setup.domains}
      />
    ),
  });
}
