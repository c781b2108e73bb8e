import { listSources } from '../../sources/sql/source.js';
import { listKeys } from '../../teams/sql/apiKey.js';
import { listConsoleSessions } from '../../teams/sql/consoleSession.js';
import { listDomains } from '../../teams/sql/domain.js';
import type { ConsoleContext } from '../context.js';
import { readDoneSteps } from '../sql/doneSteps.js';

/** Data of the setup's navigation. */
export type SetupData = Awaited<ReturnType<typeof loadSetup>>;

/** Reads what is set up: the steps to a first order, and the team's domains, sources, keys and browsers. */
export async function loadSetup(c: ConsoleContext) {
  const { query: ask } = c.var;
  const [done, domains, sources, keys, browsers] = await Promise.all([
    ask(readDoneSteps),
    ask(listDomains),
    ask(listSources),
    ask(listKeys),
    ask(listConsoleSessions),
  ]);
  return { done, domains, sources, keys, browsers };
}
