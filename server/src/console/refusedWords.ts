import { displayDomain, entriesAllowing, parseNewDomainEntry } from '../teams/domains.js';
import { messageOf } from '../values/errors.js';

/** What groups of refused reports, and single ones, are told apart by. */
export interface RefusedKind {
  /** An error code. */
  reason: string;
  /** Empty for reports with a key, and for pages that name none. */
  host: string;
  /** The first invalid field; empty for none. */
  field: string;
}

/** What a merchant reads of refused reports. */
export interface RefusedWords {
  /** Why they were refused; a sentence without its full stop. */
  why: string;
  /** What to do about it. */
  fix: string;
  /** `allow`: by allowing the host; `store`: they can be stored now; `each`: one by one; `none`: not here. */
  mend: 'allow' | 'store' | 'each' | 'none';
}

/** Says in a merchant's words why reports were refused and what mends it, as the team's domains are now. */
export function describeRefusedKind(kind: RefusedKind, domains: ReadonlySet<string>): RefusedWords {
  const { reason, host, field } = kind;
  const who = host === '' ? 'Your backend' : displayDomain(host);
  switch (reason) {
    case 'domain_not_allowed':
      return describeHost(host, domains);
    case 'invalid_request':
      return {
        why: field === '' ? `${who}: the report is not valid` : `${who}: ${field} is missing or not valid`,
        fix: 'Open each one, correct it and store it. Mend the page or the backend too, or more will come.',
        mend: 'each',
      };
    case 'order_conflict':
      return {
        why: `${who}: the order id belongs to another buyer’s order`,
        fix: 'Open each one and give it the right order id, or discard it. Each order needs an id of its own.',
        mend: 'each',
      };
    case 'payload_too_large':
      return {
        why: `${who}: the report is over 64 KiB`,
        fix: 'Each one is stored without its items, with all that could be read besides them.',
        mend: 'store',
      };
    case 'invalid_api_key':
      return {
        why: `${who}: the API key was revoked since`,
        fix: 'Report these orders with a key that is live, and discard them here.',
        mend: 'none',
      };
    default:
      return {
        why: `${who}: ${sentenceOf(reason)}`,
        fix: 'Open each one to see what it says.',
        mend: 'each',
      };
  }
}

function describeHost(host: string, domains: ReadonlySet<string>): RefusedWords {
  if (host === '') {
    return {
      why: 'A page that names no host, as one in a sandboxed frame does',
      fix: 'Such a page cannot be allowed. Report these orders with an API key, and discard them here.',
      mend: 'none',
    };
  }
  const name = displayDomain(host);
  if (isAllowed(host, domains)) {
    return {
      why: `${name} was not among your domains and is now`,
      fix: 'Store them: each order counts as of the time when it came.',
      mend: 'store',
    };
  }
  const parsed = parseNewDomainEntry(host);
  if ('hint' in parsed) {
    return {
      why: `${name} cannot be among your domains`,
      fix: `It cannot be allowed: ${parsed.hint}.`,
      mend: 'none',
    };
  }
  return {
    why: `${name} is not among your domains`,
    fix: 'If it is your shop, allow it: each order counts as of the time when it came. If not, discard them.',
    mend: 'allow',
  };
}

/** Whether one of a team's domains includes a host. */
export function isAllowed(host: string, domains: ReadonlySet<string>): boolean {
  return host !== '' && entriesAllowing(host).some((entry) => domains.has(entry));
}

/** Whether orders of a host are most likely tests: it is somebody's own machine. */
export function isOwnMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host.startsWith('127.');
}

function sentenceOf(reason: string): string {
  const message = Object.hasOwn(messageOf, reason) ? messageOf[reason as keyof typeof messageOf] : reason;
  return message.replace(/\.$/, '');
}
