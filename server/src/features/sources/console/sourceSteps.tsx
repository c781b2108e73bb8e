import type { Child } from 'hono/jsx';
import { providers } from '../providers.js';
import type { SourceKind } from '../source.js';

/**
 * The steps by which a shop's owner adds a webhook in each provider's admin, in the provider's terms. The page shows the source's
 * URL above them.
 */
const steps: Record<SourceKind, () => Child> = {
  stripe: () => (
    <ol>
      <li>
        In Stripe open <b>Workbench → Webhooks</b>, and choose <b>Add destination</b>, with events from your
        account, the newest API version and the payload style <b>Snapshot</b>.
      </li>
      <li>
        Choose these events: <Events kind="stripe" />
      </li>
      <li>
        Choose <b>Webhook endpoint</b>, and paste the URL as <b>Endpoint URL</b>.
      </li>
      <li>
        Stripe then shows the destination’s <b>Signing secret</b> (<code>whsec_…</code>). Enter it here.
      </li>
    </ol>
  ),
  shopify: () => (
    <ol>
      <li>
        In Shopify open <b>Settings → Notifications → Webhooks</b>, and choose <b>Create webhook</b>.
      </li>
      <li>
        <b>Event</b> is <b>Order payment</b>, <b>Format</b> is <b>JSON</b>, <b>URL</b> is the one above.
      </li>
      <li>
        Create a second one with the event <b>Refund create</b>, and a third one with <b>Dispute update</b>.
      </li>
      <li>Below the webhooks Shopify says “Your webhooks will be signed with” a secret. Enter it here.</li>
      <li>
        Then choose <b>Send test notification</b> in the menu of the first webhook. Its order appears here as
        a test within a second.
      </li>
    </ol>
  ),
  woocommerce: () => (
    <>
      <p>
        <b>With the plugin</b>, upload it in WordPress under <b>Plugins → Add Plugin → Upload Plugin</b>, and
        activate it. Its first event appears here, and nothing else is to be done.
      </p>
      <p>
        <b>Without the plugin</b>, make the webhook by hand:
      </p>
      <ol>
        <li>
          Sign in to WordPress as an administrator or a shop manager, and keep that user: WooCommerce reads
          orders for the webhook as the user who made it.
        </li>
        <li>
          Open <b>WooCommerce → Settings → Advanced → Webhooks</b>, and choose <b>Add webhook</b>.
        </li>
        <li>
          <b>Status</b> is <b>Active</b>, <b>Topic</b> is <b>Order updated</b>, <b>Delivery URL</b> is the one
          above, <b>Secret</b> is the one that was shown when the source was added, <b>API Version</b> is{' '}
          <b>WP REST API Integration v3</b>.
        </li>
        <li>
          If another program creates orders that are paid already, add a second webhook with the topic{' '}
          <b>Order created</b>.
        </li>
        <li>
          WooCommerce never sends a failed delivery again. Give a read-only key of its API below, so that
          orders of such a time are found.
        </li>
      </ol>
    </>
  ),
};

/** The steps that connect a provider to its source. */
export function SourceSteps({ kind }: { kind: SourceKind }) {
  return <>{steps[kind]()}</>;
}

/** The steps to the client ID and the client secret of a Shopify app. */
export function ShopifyAppSteps() {
  return (
    <ol>
      <li>
        As the shop’s owner open <b>Settings → Apps → Develop apps</b> in Shopify, and choose{' '}
        <b>Build apps in Dev Dashboard</b>, then <b>Create app</b> and <b>Start from Dev Dashboard</b>.
      </li>
      <li>
        Under <b>Versions</b> enter <code>read_orders</code> as the scope, and press <b>Release</b>.
      </li>
      <li>
        Choose <b>Install app</b> on the app’s page, and this shop.
      </li>
      <li>
        <b>Settings</b> shows the <b>Client ID</b> and the <b>Client secret</b>. Enter both here, with the
        address that ends with <code>.myshopify.com</code>. An access token <code>shpat_…</code> of an app
        that was made before 2026 still works.
      </li>
    </ol>
  );
}

function Events({ kind }: { kind: SourceKind }) {
  return (
    <>
      {providers[kind].events.map((event, at) => (
        <>
          {at > 0 && ', '}
          <code>{event}</code>
        </>
      ))}
    </>
  );
}
