import { closestDomain } from '../core/teams/domains.js';
import { listDomains } from '../core/teams/sql/domain.js';
import type { ConsoleContext } from './context.js';
import { type DoneSteps, readDoneSteps } from './sql/doneSteps.js';

/** The steps to a first order in one mode. */
export interface Steps extends DoneSteps {
  /** Set if a page has loaded the tag and none has reported yet. */
  isTagSeen: boolean;
}

/** Reads which steps are done in the page's mode. The tag counts as installed once an allowed host has loaded the script. */
export async function loadSteps({ var: { query, isTest, seenHosts } }: ConsoleContext): Promise<Steps> {
  const [done, domains] = await Promise.all([query(readDoneSteps, isTest), query(listDomains)]);
  const modes = new Map(domains.map(({ domain, isTest }) => [domain, isTest]));
  const isOfMode = (host: string) => modes.get(closestDomain(host, modes) ?? '') === isTest;
  const isTagSeen = !done.hasTag && [...seenHosts.list()].some(isOfMode);
  return { ...done, hasTag: done.hasTag || isTagSeen, isTagSeen };
}
