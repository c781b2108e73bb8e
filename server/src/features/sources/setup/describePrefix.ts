import { providers } from '../providers.js';
import type { ShopSource } from '../source.js';
import { parseOrderIdPrefix } from './parseSecret.js';

/** The prefix of a new source's order ids. */
interface NewPrefix extends Pick<ShopSource, 'kind' | 'isTest' | 'orderIdPrefix'> {
  /** Set if the form or command asked a person for the prefix, so that an empty one is meant. */
  isAsked: boolean;
}

/**
 * Describes why a new source needs another prefix; null if it does not. It needs one if the team has a shop of its kind
 * and mode. After a person was asked, an empty prefix is accepted: the ids of the shops may never collide.
 */
export function describePrefix(
  sources: readonly Pick<ShopSource, 'kind' | 'isTest' | 'orderIdPrefix'>[],
  { kind, isTest, orderIdPrefix, isAsked }: NewPrefix,
): string | null {
  if (parseOrderIdPrefix(orderIdPrefix) === null) return 'a prefix is 1 to 20 visible characters';
  const alike = sources.filter((source) => source.kind === kind && source.isTest === isTest);
  const { name } = providers[kind];
  if (orderIdPrefix !== '' && alike.some((source) => source.orderIdPrefix === orderIdPrefix))
    return `another source of ${name} has this prefix`;
  if (orderIdPrefix !== '' || isAsked || alike.length === 0) return null;
  return `this team has a source of ${name}. Two shops give the same order ids, so that their orders would be one: give this one a prefix, which its pages write before their order ids, too, or leave it empty if their ids never meet`;
}
