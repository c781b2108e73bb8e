import { hash } from 'node:crypto';
import { closestDomain, displayDomain } from '../../teams/domains.js';
import type { Session } from '../context.js';

/** A domain that this session has removed. */
export interface RemovedDomain {
  entry: string;
  isTest: boolean;
  /** Value that only this session's pages can have: a link of somebody else cannot offer to allow a domain. */
  proof: string;
}

/** Parameters of the address of a page that offers to undo a removal. */
export function removedParameters({ formToken }: Session, removed: Omit<RemovedDomain, 'proof'>): string {
  const was = removed.isTest ? 'test' : 'live';
  const proof = proofOf(formToken, removed.entry, was);
  return `?${new URLSearchParams({ removed: removed.entry, was, proof })}`;
}

/** Reads a removal from an address or a form. Null for none, and for one that another session has written. */
export function readRemoved(
  { removed: entry = '', was = '', proof = '' }: Record<string, string>,
  { formToken }: Session,
): RemovedDomain | null {
  if (entry === '' || proof !== proofOf(formToken, entry, was)) return null;
  return { entry, isTest: was === 'test', proof };
}

/**
 * Says how orders of a removed domain's pages count although it is removed, because another domain includes them. Null where
 * none does.
 */
export function tellStillCounted(
  entry: string,
  domains: readonly { domain: string; isTest: boolean }[],
): string | null {
  const left = new Map(domains.map(({ domain, isTest }) => [domain, isTest]));
  left.delete(entry);
  const by = closestDomain(entry, left);
  if (by === undefined) return null;
  return `still count, as ${left.get(by) ? 'tests' : 'live orders'}, because ${displayDomain(by)} is allowed`;
}

function proofOf(formToken: string, entry: string, was: string): string {
  return hash('sha256', JSON.stringify(['removed domain', formToken, entry, was]), 'base64url');
}
