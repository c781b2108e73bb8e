import { displayDomain, entriesAllowing, normaliseHost, siteOf } from '../../teams/domains.js';
import { isPrivateHost } from '../../values/addresses.js';
import { Form } from '../parts/form.js';
import { type AllowedDomain, allowOutcomes } from './allowDomain.js';

/** A domain that was just allowed, for the page that says so. */
interface AllowedNews extends AllowedDomain {
  /** The domain that was asked for. */
  asked: string;
  isTest: boolean;
}

type Domains = readonly { domain: string; isTest: boolean }[];

/** Parameters of the address of the page that says what allowing a domain did. */
export function allowedParameters(asked: string, { outcome, domain }: AllowedDomain): string {
  return `?${new URLSearchParams({ allowed: asked, did: outcome, by: domain })}`;
}

/** Reads what `allowedParameters` wrote. Null for anything that is not true of the team's domains: anyone can write an address. */
export function readAllowed(asked: Record<string, string>, domains: Domains): AllowedNews | null {
  const { allowed = '', did, by = '' } = asked;
  const outcome = allowOutcomes.find((name) => name === did);
  const row = domains.find(({ domain }) => domain === by);
  const isIncluded =
    by !== allowed && normaliseHost(allowed) === allowed && entriesAllowing(allowed).includes(by);
  if (!outcome || !row || (outcome === 'included' ? !isIncluded : by !== allowed)) return null;
  return { outcome, asked: allowed, ...row };
}

/** Says what allowing a domain did. */
export function AllowedNotice({ news }: { news: AllowedNews | null }) {
  if (news === null) return null;
  return (
    <p role="status" class="notice good">
      {wordsOf(news)}
    </p>
  );
}

function wordsOf({ outcome, asked, domain, isTest }: AllowedNews): string {
  const name = displayDomain(asked);
  const kind = isTest ? 'tests' : 'live orders';
  if (outcome === 'known') return `${name} was allowed already. Its orders are ${kind}.`;
  if (outcome === 'included')
    return `${name} was allowed already, by ${displayDomain(domain)}. Its orders are ${kind}.`;
  if (outcome === 'changed') return `Orders of ${name} are ${kind} from now on.`;
  const test = isPrivateHost(asked)
    ? ' Its orders are tests, because every machine and network has one.'
    : isTest
      ? ' Its orders are tests.'
      : '';
  return `Allowed ${name}.${test}${besidesWww(asked)}`;
}

function besidesWww(asked: string): string {
  const bare = asked.slice('www.'.length);
  if (!asked.startsWith('www.') || siteOf(asked) !== bare) return '';
  return ` Pages without www. are not included: allow ${displayDomain(bare)} if you have any.`;
}

/** Warns of each domain of the own machine or network whose orders are live: anybody can report from one. */
export function LivePrivateDomains({ domains }: { domains: Domains }) {
  const live = domains.filter(({ domain, isTest }) => !isTest && isPrivateHost(domain.replace('*.', '')));
  return (
    <>
      {live.map(({ domain }) => (
        <div class="notice bad">
          <p>
            Orders of {displayDomain(domain)} count as live. Anybody can report them from a machine of their
            own. To try your pages, let them be tests, or report with a test key.
          </p>
          <Form action="/console/domains" class="inline">
            <input type="hidden" name="domain" value={domain} />
            <input type="hidden" name="test" value="yes" />
            <button type="submit" class="small">
              Make its orders tests
            </button>
          </Form>
        </div>
      ))}
    </>
  );
}
