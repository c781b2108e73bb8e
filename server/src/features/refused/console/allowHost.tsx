import { useConsole } from '../../../console/context.js';
import { Form } from '../../../console/parts/form.js';
import { counted, formatNumber } from '../../../console/parts/format.js';
import { displayHost } from '../../../core/teams/domains.js';
import { isPrivateHost } from '../../../values/addresses.js';
import type { RefusedKind } from '../refusedWords.js';

/** The form that allows the host of refused reports, and stores all reports that were refused only because of the host. */
export function AllowHost({ kind: { host, reason }, reports }: { kind: RefusedKind; reports: number }) {
  const { session, viewer } = useConsole();
  const isStored = reason === 'domain_not_allowed';
  const does = isStored ? 'Allow and store' : 'Allow';
  const orders = isStored ? counted(reports, 'order', viewer) : 'orders';
  return (
    <Form action="/refused/allow" class="line">
      <input type="hidden" name="host" value={host} />
      <label>
        <input type="checkbox" name="test" value="yes" checked={isPrivateHost(host) || session.isDemo} /> As
        test orders
      </label>
      <button type="submit" aria-label={`${does} ${orders} of ${displayHost(host)}`}>
        {isStored ? `${does} ${formatNumber(reports, viewer)}` : does}
      </button>
    </Form>
  );
}
