import { refundNotStored } from '../../core/orders/refusedRequest.js';
import { orderDiffers } from '../../core/orders/store/answer.js';
import { displayHost, isAllowed, parseNewDomainEntry } from '../../core/teams/domains.js';
import { messageOf } from '../../values/errors.js';
import { describeField } from './fieldWords.js';
import { describeOfSource } from './sourceWords.js';

/** Properties of a refused report, or of a group of them, that describe its refusal. */
export interface RefusedKind {
  /** The error code of the refusal. */
  reason: string;
  /** Host of the page; empty for reports with an API key, and for pages without a host. */
  host: string;
  /** The first invalid field; empty if no field is invalid. */
  field: string;
  /** The provider whose source sent them, such as `Stripe`. Absent or null for pages and backends. */
  speaker?: string | null;
  /** The beginning of the first issue's message; undefined if it does not matter. */
  cause?: string | undefined;
  /** The body of one of the reports. Without it, or if it was cut, the description quotes nothing. */
  body?: string;
}

/** The description of refused reports for a merchant. */
export interface RefusedWords {
  /** The reason of the refusal: a sentence without its full stop. */
  why: string;
  /** The remedy, in sentences. */
  advice: string;
  /** The singular noun for the content of such a report. */
  noun: 'order' | 'refund' | 'event';
  /**
   * The way to fix the reports. `allow`: allow the host. `store`: they can be stored now. `comma`: store each with its amount as it
   * can be read. `each`: correct each one. `none`: they cannot be fixed here.
   */
  fix: 'allow' | 'store' | 'comma' | 'each' | 'none';
}

/**
 * Describes for a merchant why reports were refused, and how to fix that, by the team's current domains. The console,
 * the command and the webhook use the same sentences.
 * @param requiresSignature set if the team only accepts signed orders
 */
export function describeRefusedKind(
  kind: RefusedKind,
  domains: ReadonlySet<string>,
  requiresSignature = false,
): RefusedWords {
  const { reason, host } = kind;
  const words = {
    noun: reason === refundNotStored ? ('refund' as const) : ('order' as const),
    ...describeReason(kind, domains, requiresSignature),
    ...describeOfSource(kind),
  };
  const isOfHost = host !== '' && reason !== 'domain_not_allowed' && reason !== orderDiffers;
  if (!isOfHost || isAllowed(host, domains)) return words;
  const { fix, advice } = describeHost(host, domains);
  if (fix === 'none') return { ...words, advice, fix };
  return { ...words, advice: `If ${displayHost(host)} is your shop, allow it first. ${words.advice}`, fix };
}

function describeReason(
  { reason, host, field, speaker, body }: RefusedKind,
  domains: ReadonlySet<string>,
  requiresSignature: boolean,
): Omit<RefusedWords, 'noun'> {
  const who = speaker ?? (host === '' ? 'Your backend' : displayHost(host));
  switch (reason) {
    case 'domain_not_allowed':
      return describeHost(host, domains);
    case 'invalid_request':
      return describeField(who, field, body);
    case 'order_conflict':
      return {
        why: `${who}: the order id belongs to another buyer’s order`,
        advice:
          'Look in your shop for the order of this buyer. If it has another id, open the report, write that id and store it. If there is no such order, discard it.',
        fix: 'each',
      };
    case orderDiffers:
      return {
        why: `${who}: the order is stored with ${field === 'currency' ? 'another currency' : 'another amount'}`,
        advice:
          'The stored order stays as it is. Look up in your shop which one is right. If the stored one is, discard this report. If this one is, let your backend report the order with an API key: this report then leaves the list.',
        fix: 'none',
      };
    case refundNotStored:
      return {
        why: `${speaker ?? 'Your shop system'}: a refund could not be stored`,
        advice: 'Open each one, report its refund with an API key, and discard it here.',
        fix: 'none',
      };
    case 'invalid_signature':
      return {
        why: `${who}: the signature does not fit the order`,
        advice:
          'Somebody may have changed the order, or the page signs with a key that is not live. Store them once the key is, or correct one to store it without its signature.',
        fix: 'each',
      };
    case 'signature_required':
      return {
        why: `${who}: the order is not signed`,
        advice: requiresSignature
          ? 'Your team accepts signed orders only. Let the page sign them. To store these, have your operator run team edit --no-require-signature.'
          : 'Your team now accepts orders that are not signed. Store them.',
        fix: requiresSignature ? 'none' : 'store',
      };
    case 'invalid_api_key':
      return {
        why: `${who}: the API key has since been revoked`,
        advice: 'Report these orders with a key that is live, and discard them here.',
        fix: 'none',
      };
    default:
      return {
        why: `${who}: ${sentenceOf(reason)}`,
        advice: 'Open each one to see what it says.',
        fix: 'each',
      };
  }
}

function describeHost(host: string, domains: ReadonlySet<string>): Omit<RefusedWords, 'noun'> {
  if (host === '') {
    return {
      why: 'A page that names no host, as one in a sandboxed frame does',
      advice: 'Such a page cannot be allowed. Report these orders with an API key, and discard them here.',
      fix: 'none',
    };
  }
  const name = displayHost(host);
  if (isAllowed(host, domains)) {
    return {
      why: `${name} was not among your domains and is now`,
      advice: 'Store them. Each order counts from the time when it came.',
      fix: 'store',
    };
  }
  const parsed = parseNewDomainEntry(host);
  if ('hint' in parsed) {
    return {
      why: `${name} cannot be among your domains`,
      advice: `It cannot be allowed: ${parsed.hint}.`,
      fix: 'none',
    };
  }
  return {
    why: `${name} is not among your domains`,
    advice:
      'If it is your shop, allow it: each order counts from the time when it came. If not, discard them.',
    fix: 'allow',
  };
}

function sentenceOf(reason: string): string {
  const message = Object.hasOwn(messageOf, reason) ? messageOf[reason as keyof typeof messageOf] : reason;
  return message.replace(/\.$/, '');
}
