import type { Child } from 'hono/jsx';
import { closestDomain, displayDomain } from '../../core/teams/domains.js';
import { isPrivateHost } from '../../values/addresses.js';
import { ModeChoice, plainText, refusedField, Time } from '../parts/elements.js';
import { Action, Confirm, Form, NoForm } from '../parts/form.js';
import { Badge, Empty, Notice, PageHead } from '../parts/panel.js';
import { Table } from '../parts/table.js';
import type { OrderHostRow } from '../sql/orderHosts.js';
import { pastedCharacters } from './pastedDomain.js';

/** An allowed domain, and the time of the last order that one of its pages reported. */
interface ShownDomain {
  domain: string;
  isTest: boolean;
  lastOrderAt: Date | null;
}

/** Adds the time of the last order to each domain. The orders of a host count for its closest domain only. */
export function lastOrders(
  domains: readonly { domain: string; isTest: boolean }[],
  hosts: readonly OrderHostRow[],
): ShownDomain[] {
  const entries = new Set(domains.map(({ domain }) => domain));
  const last = new Map<string, Date>();
  for (const { host, lastOrderAt } of hosts) {
    const entry = closestDomain(host, entries);
    if (entry !== undefined && lastOrderAt > (last.get(entry) ?? 0)) last.set(entry, lastOrderAt);
  }
  return domains.map((row) => ({ ...row, lastOrderAt: last.get(row.domain) ?? null }));
}

/** A domain that was not added, and the reason. */
export interface DomainRefusal {
  domain: string;
  wantsTest: boolean;
  hint: string;
}

interface DomainsProps {
  domains: ShownDomain[];
  refusal: DomainRefusal | null;
  /** Sentences of features about orders of other hosts. */
  besideTitle: Child[];
}

/** The page Domains of Setup: the allowed domains, and a form to allow one. */
export function Domains({ domains, refusal, besideTitle }: DomainsProps) {
  const liveHere = domains.filter(({ domain, isTest }) => !isTest && isPrivateHost(domain.replace('*.', '')));
  return (
    <>
      <PageHead
        title="Allow the domains of your pages"
        about={<>Orders of pages count only from these. {besideTitle}</>}
      />
      {liveHere.map(({ domain }) => (
        <Notice
          tone="bad"
          actions={
            <Action to="/setup/domains" fields={{ domain, test: 'yes' }}>
              Make its orders tests
            </Action>
          }
        >
          <strong class="tone">Orders of {displayDomain(domain)} count as live.</strong> Anybody can report
          them from a machine of their own.
        </Notice>
      ))}
      <section class="panel" aria-label="Allowed domains">
        <header>
          <AllowForm refusal={refusal} />
          <NoForm action="allow a domain" />
        </header>
        {domains.length === 0 ? (
          <Empty>No domain is allowed yet, so every order of a page is refused.</Empty>
        ) : (
          <List domains={domains} />
        )}
        <footer>
          <small>
            <code>shop.example</code> includes <code>www.shop.example</code>; <code>*.shop.example</code>{' '}
            includes every subdomain. Orders of localhost and private addresses are tests.
          </small>
        </footer>
      </section>
    </>
  );
}

function AllowForm({ refusal }: { refusal: DomainRefusal | null }) {
  return (
    <Form action="/setup/domains" class="line">
      <label class="grow">
        <span class="hidden">Allow a domain</span>
        <input
          name="domain"
          required
          maxlength={pastedCharacters}
          placeholder="shop.example, *.shop.example or the address of a page"
          value={refusal?.domain}
          {...plainText}
          {...(refusal && refusedField('refusal'))}
        />
      </label>
      <ModeChoice isTest={refusal?.wantsTest ?? false} />
      <button type="submit">Allow</button>
      {refusal && (
        <small id="refusal" role="alert">
          Not added: {refusal.hint}.
        </small>
      )}
    </Form>
  );
}

function List({ domains }: Pick<DomainsProps, 'domains'>) {
  return (
    <Table
      rows={domains}
      columns={[
        { head: 'Domain', class: 'title long', isName: true, cell: ({ domain }) => displayDomain(domain) },
        {
          head: 'Orders',
          class: 'mark',
          cell: ({ isTest }) => <Badge tone={isTest ? 'warn' : 'good'}>{isTest ? 'test' : 'live'}</Badge>,
        },
        {
          head: 'Last order, 30 days',
          class: 'number time',
          cell: ({ lastOrderAt }) => (lastOrderAt ? <Time at={lastOrderAt} /> : 'none'),
        },
        {
          head: '',
          class: 'number value',
          cell: ({ domain }) => (
            <Confirm
              to="/setup/domains/remove"
              fields={{ domain }}
              title="Remove"
              text="Orders of its pages are refused from then on, unless another domain includes them."
              label={`Remove ${displayDomain(domain)}`}
            >
              Remove {displayDomain(domain)}
            </Confirm>
          ),
        },
      ]}
    />
  );
}
