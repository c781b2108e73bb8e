import type { RefusedRow } from '../refused/refusedReport.js';
import type { listKeys } from '../teams/sql/apiKey.js';
import type { SeenSdkVersion } from '../teams/sql/sdkVersions.js';
import { useConsole } from './context.js';
import { Scroll } from './elements.js';
import { formatTime } from './format.js';
import { OrderTable } from './orderRows.js';
import type { partRefusals } from './refusedHosts.js';
import { RefusedNow } from './refusedTable.js';
import { SetupDomains, type ShownDomain } from './setupDomains.js';
import { SetupKeys } from './setupKeys.js';
import type { ShownOrderRow } from './sql/shownOrders.js';

interface SetupProps {
  now: Date;
  tag: string;
  /** The first line of the tag, pinned to this server's version. */
  pinned: string;
  domains: ShownDomain[];
  keys: Awaited<ReturnType<typeof listKeys>>;
  /** The versions of the SDK that stored orders lately. */
  versions: SeenSdkVersion[];
  /** The newest orders. */
  orders: ShownOrderRow[];
  /** The last refusals of each domain, and of hosts that are none. */
  refusals: ReturnType<typeof partRefusals>;
  /** The newest refused reports. */
  refused: RefusedRow[];
  refusal: { domain: string; hint: string } | null;
}

/** The content of the setup page. */
export function Setup(props: SetupProps) {
  return (
    <>
      <h1>Setup</h1>
      <Tag {...props} />
      <SetupDomains {...props} />
      <TryIt {...props} />
      <SetupKeys {...props} />
    </>
  );
}

function Tag({ tag, pinned, versions }: SetupProps) {
  const { viewer } = useConsole();
  return (
    <section>
      <h2 id="tag">1. The tag</h2>
      <p>
        Put this into your order confirmation page, and let your shop fill in the order. Give every order its{' '}
        <code>orderId</code>. It keeps a reloaded page from counting as a second order.
      </p>
      <pre data-copy tabindex={0}>
        {tag}
      </pre>
      <details>
        <summary>Pinned to this version</summary>
        <p>Use this line instead of the first one. The browser then refuses any other file.</p>
        <pre data-copy tabindex={0}>
          {pinned}
        </pre>
      </details>
      {versions.length > 0 && (
        <p>
          Versions of the script that reported orders these 30 days:{' '}
          {versions.map(({ version, lastSeenAt }, at) => (
            <>
              {at > 0 && ', '}
              <bdi>{version}</bdi> (last {formatTime(lastSeenAt, viewer)})
            </>
          ))}
          . Times are to the hour.
        </p>
      )}
    </section>
  );
}

function TryIt({ orders, refused, now }: SetupProps) {
  const { base } = useConsole();
  return (
    <section>
      <h2 id="try">3. Try it</h2>
      <p>Open your page now, and place an order. It appears here within a second or two, refused or not.</p>
      <p id="live" role="status" data-since={now.getTime()}>
        Reload this page to see new orders.
      </p>
      <RefusedNow entries={refused} now={now} heading="h3" />
      <p id="none" class="notice" hidden={orders.length > 0}>
        No orders yet. If yours does not come, add <code>data-debug</code> to the tag, and read the page’s
        console.
      </p>
      <Scroll labelledBy="try">
        <OrderTable orders={orders} live={`${base}/console/live`} />
      </Scroll>
    </section>
  );
}
