import type { CheckPart } from '../../commands/check.js';
import { listSources } from './sql/source.js';

/** A team that a source alone reports for needs neither key nor domain. */
export const sourceChecks: CheckPart = { senders: listSources };
