import type { RefusedRow } from '../../refused/refusedReport.js';
import type { Platform } from '../../site/platformTags.js';
import type { ListedSource } from '../../sources/sql/source.js';
import type { listKeys } from '../../teams/sql/apiKey.js';
import type { ListedConsoleSession } from '../../teams/sql/consoleSession.js';
import { useConsole } from '../context.js';
import { OrderTable } from '../orders/orderRows.js';
import { Scroll } from '../parts/elements.js';
import type { partRefusals } from '../refused/refusedHosts.js';
import { RefusedNow } from '../refused/refusedTable.js';
import type { ShownOrderRow } from '../sql/shownOrders.js';
import type { SourceMeetingRow } from '../sql/sourceMeetings.js';
import { PageCheckForm } from './pageCheck.js';
import { SetupBrowsers } from './setupBrowsers.js';
import { type DomainRefusal, SetupDomains, type ShownDomain } from './setupDomains.js';
import { SetupKeys } from './setupKeys.js';
import { SetupSources, type SourceRefusal } from './setupSources.js';
import { type DoneSteps, SetupSteps } from './setupSteps.js';
import { SetupTag } from './setupTag.js';

/** A form of the setup page that was not accepted: its fields, and the reason. */
export type SetupRefusal = DomainRefusal | SourceRefusal;

interface SetupProps {
  now: Date;
  /** The platform whose tag is shown. */
  platform: Platform;
  /** `team_…` */
  teamId: string;
  /** The first piece of the tag, pinned to this server's version. Null in a development version. */
  pinned: string | null;
  done: DoneSteps;
  domains: ShownDomain[];
  publicUrl: string;
  sources: ListedSource[];
  meetings: SourceMeetingRow[];
  keys: Awaited<ReturnType<typeof listKeys>>;
  browsers: ListedConsoleSession[];
  /** The newest orders. */
  orders: ShownOrderRow[];
  /** The last refusals of each domain, and of hosts that are none. */
  refusals: ReturnType<typeof partRefusals>;
  /** The newest refused reports. */
  refused: RefusedRow[];
  refusal: SetupRefusal | null;
}

type ShownProps = Omit<SetupProps, 'refusal'>;

/** The content of the setup page. */
export function Setup({ refusal, ...props }: SetupProps) {
  return (
    <>
      <h1>Setup</h1>
      <div data-fresh="steps">
        <SetupSteps done={props.done} />
      </div>
      <SetupTag {...props} />
      <SetupDomains {...props} refusal={refusal && 'domain' in refusal ? refusal : null} />
      <TryIt {...props} />
      <SetupSources {...props} refusal={refusal && 'source' in refusal ? refusal : null} />
      <SetupKeys {...props} />
      <SetupBrowsers {...props} />
    </>
  );
}

function TryIt({ orders, refused, now }: ShownProps) {
  const { home } = useConsole();
  return (
    <section>
      <h2 id="try">3. Try it</h2>
      <PageCheckForm />
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
        <OrderTable orders={orders} live={`${home}/live`} />
      </Scroll>
    </section>
  );
}
