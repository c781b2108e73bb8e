import type { Child } from 'hono/jsx';
import { type Platform, platforms, platformTag } from '../../site/platformTags.js';
import { askFirst, noPin } from '../../site/tag.js';
import { useConsole } from '../context.js';

interface SetupTagProps {
  /** The platform whose pieces are shown. */
  platform: Platform;
  publicUrl: string;
  /** `team_…` */
  teamId: string;
  /** The first piece of plain HTML, pinned to this server's version. Null in a development version. */
  pinned: string | null;
}

/** Reads the platform that an address names; plain HTML where it names none. */
export function readPlatform(text: string | undefined): Platform {
  return text !== undefined && Object.hasOwn(platforms, text) ? (text as Platform) : 'html';
}

/** Words for the places of both pieces. */
const places: Record<Platform, { everyPage: Child; confirmation: Child }> = {
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
        need <a href="#sources">a source for WooCommerce</a>.
      </>
    ),
  },
  shopify: {
    everyPage: (
      <>
        In <code>theme.liquid</code>, before <code>&lt;/head&gt;</code>.
      </>
    ),
    confirmation: (
      <>
        Nothing to paste: Shopify reports each order itself. <a href="#sources">Add a source for Shopify</a>.
      </>
    ),
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

/** The setup page's part on the tag: its two pieces for each platform, with the team's own values. */
export function SetupTag({ platform, publicUrl, teamId, pinned }: SetupTagProps) {
  const { base, home } = useConsole();
  const pieces = platformTag(platform, { publicUrl, teamId });
  const place = places[platform];
  return (
    <section>
      <h2 id="tag">1. The tag</h2>
      <nav aria-label="Platform" class="tabs">
        {Object.entries(platforms).map(([name, title]) => (
          <a
            href={`${home}/setup?platform=${name}#tag`}
            aria-current={name === platform ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <h3>On every page</h3>
      <p>{place.everyPage}</p>
      <Piece name="the piece for every page">{pieces.everyPage}</Piece>
      {platform !== 'tag-manager' && (
        <p>
          If the law of your shop asks for <a href={`${base}/docs/sdk/consent`}>consent</a> first, add{' '}
          <code>{askFirst}</code> to the tag: then no visitor is kept before{' '}
          <code>track('consent', true)</code>.
        </p>
      )}
      {platform === 'html' && (
        <details>
          <summary>Pinned to this version</summary>
          {pinned === null ? (
            <p>{noPin}</p>
          ) : (
            <>
              <p>Use this line instead. The browser then refuses any other file.</p>
              <Piece name="the pinned piece">{pinned}</Piece>
            </>
          )}
        </details>
      )}
      <h3>On the confirmation page</h3>
      <p>{place.confirmation}</p>
      {pieces.confirmation !== null && (
        <Piece name="the piece for the confirmation page">{pieces.confirmation}</Piece>
      )}
      <p>
        <a href={`${base}/docs/recipes/${platform}`}>More on {platforms[platform]}</a>: each step, and its
        reasons.
      </p>
    </section>
  );
}

/** A text to copy. The script `copy.js` adds the button. */
function Piece({ name, children }: { name: string; children: string }) {
  return (
    <pre data-copy={name} tabindex={0} class="piece">
      {children}
    </pre>
  );
}
