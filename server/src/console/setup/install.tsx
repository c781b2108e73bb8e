import type { Child } from 'hono/jsx';
import { askFirst, noPin } from '../../core/script/tag.js';
import { describeInner, isPrivateHost } from '../../values/addresses.js';
import { useConsole } from '../context.js';
import { OrderTable } from '../orders/orderRows.js';
import { Guide } from '../parts/guide.js';
import { Copy, Empty, Notice, PageHead, Panel, Seg } from '../parts/panel.js';
import type { ShownOrderRow } from '../sql/shownOrders.js';
import { type Platform, platforms, platformTag } from './platformTags.js';
import type { SetupData } from './setupPage.js';

interface InstallProps {
  /** The platform whose pieces are shown. */
  platform: Platform;
  publicUrl: string;
  /** `team_…` */
  teamId: string;
  /** The first piece of plain HTML, pinned to this server's version. Null in a development version. */
  pinned: string | null;
  /** Content that features draw, by spot. */
  drawn: Record<'insteadOfPieces' | 'belowPieces' | 'beforeTrying' | 'nothingCame', Child[]>;
  /** The newest orders, live or test. */
  orders: readonly ShownOrderRow[];
  domains: SetupData['domains'];
}

/** Reads the platform of an address. Default: plain HTML. */
export function readPlatform(text: string | undefined): Platform {
  return text !== undefined && Object.hasOwn(platforms, text) ? (text as Platform) : 'html';
}

/** Instructions on where to paste each of the two pieces. */
const whereToPaste: Record<Platform, { everyPage: Child; confirmation: Child }> = {
  html: {
    everyPage: 'In the head of every page of your shop.',
    confirmation: (
      <>
        In your order confirmation page, where your shop fills in the order. Give every order its{' '}
        <code>orderId</code>. It keeps a reloaded page from counting as a second order.
      </>
    ),
  },
  woocommerce: {
    everyPage: (
      <>
        In the <code>functions.php</code> of your child theme, or in a plugin for snippets. It prints the tag
        on every page.
      </>
    ),
    confirmation: (
      <>
        In the same place, below. It reports the order on the “thank you” page, and keeps the visitor with the
        order. Orders that are paid later, such as by bank transfer, and those whose buyer closes the page
        need a source for WooCommerce.
      </>
    ),
  },
  shopify: {
    everyPage: (
      <>
        In <code>theme.liquid</code>, before <code>&lt;/head&gt;</code>.
      </>
    ),
    confirmation: 'Nothing to paste: Shopify reports each order itself, as a source.',
  },
  'tag-manager': {
    everyPage: (
      <>
        A tag of the type <em>Custom HTML</em>, with the trigger <em>Initialization - All Pages</em>.
      </>
    ),
    confirmation: (
      <>
        A second tag of that type, with the custom event <code>purchase</code> as its trigger. Both without{' '}
        <em>Support document.write</em>.
      </>
    ),
  },
};

/** The page Install of Setup: the two pieces of the tag for each platform, with the team's own values. */
export function Install({ platform, publicUrl, teamId, pinned, drawn, orders, domains }: InstallProps) {
  const { guides, link, session } = useConsole();
  const pieces = platformTag(platform, { publicUrl, teamId, currency: session.currency });
  const paste = whereToPaste[platform];
  const reach = describeTag(publicUrl, domains);
  return (
    <>
      <PageHead title="Put the tag on your pages">
        <Seg
          label="Platform"
          choices={Object.entries(platforms).map(([name, words]) => ({
            href: link('/setup/install', { platform: name }),
            text: words,
            isChosen: name === platform,
          }))}
        />
      </PageHead>
      {reach !== null && <Notice tone="bad">{reach}</Notice>}
      {drawn.insteadOfPieces}
      <section class="panel" aria-labelledby="tag">
        <header>
          <h2 id="tag">1. On every page</h2>
        </header>
        <div class="body stack">
          <p>{paste.everyPage}</p>
          {platform !== 'tag-manager' && (
            <p class="muted">
              If the law of your shop asks for{' '}
              {guides === null ? 'consent' : <Guide to="sdk/consent">consent</Guide>} first, add{' '}
              <code>{askFirst}</code> to the tag: then no visitor is kept before{' '}
              <code>track('consent', true)</code>.
            </p>
          )}
        </div>
        <Copy name="the piece for every page">{pieces.everyPage}</Copy>
        {platform === 'html' && (
          <details>
            <summary>
              <small>Pinned to this version</small>
            </summary>
            {pinned === null ? (
              <p class="body">{noPin}</p>
            ) : (
              <>
                <p class="body">Use this line instead. The browser then refuses any other file.</p>
                <Copy name="the pinned piece">{pinned}</Copy>
              </>
            )}
          </details>
        )}
      </section>
      <section class="panel" aria-labelledby="confirmation">
        <header>
          <h2 id="confirmation">2. On the confirmation page</h2>
        </header>
        <p class="body">
          {paste.confirmation} {drawn.belowPieces}
        </p>
        {pieces.confirmation !== null && (
          <Copy name="the piece for the confirmation page">{pieces.confirmation}</Copy>
        )}
        {guides !== null && (
          <footer>
            <Guide to={`recipes/${platform}`}>More on {platforms[platform]}</Guide>: each step, and its
            reasons.
          </footer>
        )}
      </section>
      {drawn.beforeTrying}
      <Panel
        id="try"
        title={`${drawn.beforeTrying.length > 0 ? 4 : 3}. Try it`}
        beside={
          <small id="live" role="status">
            Reload this page to see new orders.
          </small>
        }
      >
        <div data-fresh="orders">
          {orders.length > 0 ? (
            <OrderTable orders={orders} isShort />
          ) : (
            <Empty>
              Open your page now, and place an order. It appears here within a second or two. If it does not
              come, {drawn.nothingCame}add <code>data-debug</code> to the tag and read the page’s console.
            </Empty>
          )}
        </div>
      </Panel>
    </>
  );
}

/** Explains why the pages of a public live shop cannot load the tag; null if they can. */
export function describeTag(
  publicUrl: string,
  domains: readonly { domain: string; isTest: boolean }[],
): string | null {
  const isPublic = domains.some(({ domain, isTest }) => !isTest && !isPrivateHost(domain.replace('*.', '')));
  if (!isPublic) return null;
  const url = new URL(publicUrl);
  const inner = describeInner('A buyer’s browser', url);
  if (inner !== null || url.protocol === 'https:') return inner;
  return 'A page on https:// does not load a script from http://. Set PUBLIC_URL to the server’s address with https://.';
}
