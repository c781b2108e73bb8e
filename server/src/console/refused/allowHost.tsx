import type { RefusedKind } from '../../refused/refusedWords.js';
import { displayDomain } from '../../teams/domains.js';
import { isPrivateHost } from '../../values/addresses.js';
import { useConsole } from '../context.js';
import { Form } from '../parts/form.js';

/** The form that allows the host of refused reports, and stores all that was refused because of the host alone. */
export function AllowHost({ kind: { host, reason }, ...look }: { kind: RefusedKind; class?: string }) {
  const { session } = useConsole();
  const label = reason === 'domain_not_allowed' ? 'Allow and store' : 'Allow';
  return (
    <Form action="/refused/allow" class="inline">
      <input type="hidden" name="host" value={host} />
      <label>
        <input type="checkbox" name="test" value="yes" checked={isPrivateHost(host) || session.isDemo} /> Its
        orders are tests
      </label>
      <button type="submit" {...look} aria-label={`${label} orders of ${displayDomain(host)}`}>
        {label}
      </button>
    </Form>
  );
}
