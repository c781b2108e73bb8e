import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { ConsoleDeps } from '../../../console/consoleDeps.js';
import type { ConsoleHost } from '../../../console/consoleHost.js';
import { type ConsoleContext, type ConsoleEnv, useConsole } from '../../../console/context.js';
import { formatSpan } from '../../../console/parts/format.js';
import { showOnce } from '../../../console/parts/showOnce.js';
import { readPlatform } from '../../../console/setup/install.js';
import { platforms } from '../../../console/setup/platformTags.js';
import { loadSetup, renderSetup } from '../../../console/setup/setupPage.js';
import { displayHost } from '../../../core/teams/domains.js';
import { decodeId, encodeId } from '../../../values/ids.js';
import { dayMs, hourMs } from '../../../values/time.js';
import { providers } from '../providers.js';
import { addSource, removeSource } from '../setup/addSource.js';
import { describePrefix } from '../setup/describePrefix.js';
import { parseAccess } from '../setup/parseAccess.js';
import { parseSecret } from '../setup/parseSecret.js';
import { hostsOf } from '../shopHost.js';
import { sourceKinds } from '../source.js';
import { allowShopHost, listApartHosts } from '../sql/apartEvent.js';
import { listSources, replaceAccess, replaceSecret, requestSync } from '../sql/source.js';
import { listSourceMeetings } from '../sql/sourceMeetings.js';
import { type SourceRefusal, Sources } from './sources.js';

/** Adds the console's pages of sources: shop systems that report orders themselves. */
export function addSources(console: ConsoleHost): void {
  console.setupPage({
    title: 'Sources',
    path: '/setup/sources',
    async state({ var: { queryOnce, viewer, isTest } }) {
      // On the page of the live mode, a source for tests does not count.
      const source = (await queryOnce(listSources)).find((each) => isTest || !each.isTest);
      if (!source) return { tone: undefined, about: 'None: your pages alone report' };
      const { name } = providers[source.kind];
      if (!source.lastEventAt) return { tone: 'warn', about: `${name}, no event yet` };
      const since = formatSpan(viewer.now.getTime() - source.lastEventAt.getTime());
      return { tone: 'good', about: `${name}, ${since} ago` };
    },
  });
  console.trouble(60, async ({ var: { isTest, link, query, queryOnce } }) => {
    const apart = await query(listApartHosts);
    if (apart.length === 0) return null;
    const sources = (await queryOnce(listSources)).filter((source) => source.isTest === isTest);
    // A copy of a shop is quiet while the shop itself sells. After a move, all events come from the new host.
    const moved = apart.find(({ sourceId, lastAt }) => {
      const lastMs = sources.find(({ id }) => id === sourceId)?.lastEventAt?.getTime();
      return lastMs !== undefined && lastAt.getTime() - lastMs > hourMs;
    });
    return moved
      ? {
          tone: 'warn',
          title: `Orders came from ${displayHost(moved.host)} alone, and do not count.`,
          about: 'If your shop has moved there, allow it.',
          href: link('/setup/sources'),
          button: 'Look at the source',
        }
      : null;
  });
  console.pages((app, deps) => app.route('/setup/sources', sourceRoutes(deps)));
  console.draw('confirmation', () => (
    <>
      <SourcesLink>Connect Stripe, Shopify or WooCommerce</SourcesLink>, and refunds come by themselves.
    </>
  ));
  console.draw('belowPieces', (c) => {
    const platform = readPlatform(c.req.query('platform'));
    return platform === 'shopify' || platform === 'woocommerce' ? (
      <SourcesLink kind={platform}>Add a source for {platforms[platform]}</SourcesLink>
    ) : null;
  });
}

function SourcesLink({ kind, children }: { kind?: string; children: Child }) {
  return <a href={useConsole().link('/setup/sources', { kind })}>{children}</a>;
}

const monthMs = 30 * dayMs;

/** `GET …/setup/sources`: the sources, each with its steps, and the orders that it has in common with pages. */
function sourceRoutes({ parts, publicUrl }: ConsoleDeps): Hono<ConsoleEnv> {
  async function render(c: ConsoleContext, refusal: SourceRefusal | null) {
    const since = new Date(c.var.viewer.now.getTime() - monthMs);
    const [setup, sources, meetings, apart] = await Promise.all([
      loadSetup(c, parts),
      c.var.queryOnce(listSources),
      c.var.query(listSourceMeetings, since),
      c.var.query(listApartHosts),
    ]);
    return renderSetup(c, setup, {
      title: 'Sources',
      isRefused: refusal !== null,
      content: (
        <Sources
          sources={sources}
          domains={setup.domains}
          meetings={meetings}
          apart={apart}
          publicUrl={publicUrl()}
          kind={sourceKinds.find((kind) => kind === c.req.query('kind'))}
          refusal={refusal}
        />
      ),
    });
  }
  const toSources = (c: ConsoleContext, id = '') =>
    c.redirect(`${c.var.link('/setup/sources')}${id && `#${id}`}`, 303);
  /** Finds the source that a form names; undefined if another browser has removed it. */
  async function findNamed(c: ConsoleContext) {
    const id = decodeId('src', c.var.form.source ?? '');
    return (await c.var.query(listSources)).find((source) => source.id === id);
  }

  return (
    new Hono<ConsoleEnv>()
      .get('/', (c) => render(c, null))
      // Adds a source, or shows why its secret was not accepted. The secret may be entered later.
      .post('/', async (c) => {
        const { form, query } = c.var;
        const kind = sourceKinds.find((kind) => kind === form.kind) ?? sourceKinds[0];
        const text = form.secret?.trim() ?? '';
        const parsed = text === '' ? { secret: null } : parseSecret(kind, text);
        const isTest = form.test === 'yes';
        if ('hint' in parsed) return render(c, { source: 'new', kind, isTest, hint: parsed.hint });
        const { orderIdPrefix = '' } = form;
        // The prefix field was shown. If it is empty, the person says that the ids of the shops never collide.
        const isAsked = form.orderIdPrefix !== undefined;
        const hint = describePrefix(await query(listSources), { kind, isTest, orderIdPrefix, isAsked });
        if (hint !== null) return render(c, { source: 'new', kind, isTest, orderIdPrefix, hint });
        const added = await query(addSource, { kind, isTest, secret: parsed.secret, orderIdPrefix });
        // The team has as many sources as it may have. The page shows that.
        if (!added) return toSources(c);
        const id = encodeId('src', added.id);
        if (parsed.secret !== null || added.secret === null) return toSources(c, id);
        const { name } = providers[kind];
        return showOnce(c, {
          title: `The secret for ${name}`,
          here: 'Setup',
          advice: `Copy it now: it is not shown again. Enter it as the secret of the webhook in ${name}, as the next page says.`,
          secret: added.secret,
          back: { path: `/setup/sources#${id}`, text: 'the steps' },
        });
      })
      // Replaces the secret of a source, or shows why it was not accepted.
      .post('/secret', async (c) => {
        const { form, query } = c.var;
        const source = await findNamed(c);
        if (!source) return toSources(c);
        const name = encodeId('src', source.id);
        const parsed = parseSecret(source.kind, form.secret ?? '');
        if ('hint' in parsed) return render(c, { source: name, hint: parsed.hint });
        await query(replaceSecret, source.id, parsed.secret);
        return toSources(c, name);
      })
      // Saves the API key of a shop, or shows why it was not accepted.
      .post('/access', async (c) => {
        const source = await findNamed(c);
        if (!source) return toSources(c);
        const { shopUrl = '' } = c.var.form;
        const name = encodeId('src', source.id);
        // Only the operator of the server may allow requests to private addresses.
        const parsed = parseAccess(source, { shopUrl, apiKey: keyOf(c.var.form), allowsPrivate: false });
        if ('hint' in parsed) return render(c, { source: name, hint: parsed.hint, isOfAccess: true });
        await c.var.query(replaceAccess, source.id, parsed.access);
        return toSources(c, name);
      })
      // Requests a sync, which starts within a minute.
      .post('/sync', async (c) => {
        const source = await findNamed(c);
        if (!source) return toSources(c);
        await c.var.query(requestSync, source.id);
        return toSources(c, encodeId('src', source.id));
      })
      // Allows a host that has sent events to a source. The events are stored within a minute.
      .post('/host', async (c) => {
        const source = await findNamed(c);
        if (!source) return toSources(c);
        const { host = '', as } = c.var.form;
        const allowed = { host, known: hostsOf(source), isMoved: as === 'moved' };
        await c.var.query(allowShopHost, source.id, allowed);
        return toSources(c, encodeId('src', source.id));
      })
      // The source may be missing: another browser may have removed it.
      .post('/remove', async (c) => {
        const id = decodeId('src', c.var.form.source ?? '');
        if (id) await c.var.query(removeSource, id);
        return toSources(c);
      })
  );
}

/** Reads the API key from a form. The key of a Shopify app consists of two fields. */
function keyOf({ clientId = '', apiKey = '' }: Record<string, string | undefined>): string {
  return clientId.trim() === '' ? apiKey : `${clientId.trim()}:${apiKey.trim()}`;
}
