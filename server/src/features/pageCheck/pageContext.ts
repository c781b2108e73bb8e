import type { FetchText } from '../../commands/fetchText.js';
import type { PageFixes } from './pageFixes.js';

/** Facts that the check of a page needs besides the page. */
export interface PageContext {
  fetchText: FetchText;
  fixes: PageFixes;
  /** The server's own URL; null when it is not known. */
  publicUrl: string | null;
  /** The team of `--team`, `team_…`; null means the tag's team. */
  teamId: string | null;
  /** Lists a team's allowed domains. Null for a team that does not exist, undefined without a database. */
  domainsOf(teamId: string): Promise<{ domain: string; isTest: boolean }[] | null | undefined>;
  /** Time of the last order that a page of that host reported to an existing team; null if there is none lately. */
  lastOrderOf(teamId: string, host: string): Promise<Date | null>;
}
