import type { CheckPart } from '../../commands/check.js';
import { listSources } from './sql/source.js';

/** Counts sources as senders: a team whose only sender is a source needs neither API key nor domain. */
export const sourceChecks: CheckPart = { senders: listSources };
