import type { FetchText } from '../../commands/fetchText.js';
import type { PageFixes } from './pageFixes.js';

/** Facts and functions that the check of a page needs besides the page. */
export interface PageContext {
  fetchText: FetchText;
  fixes: PageFixes;
  /** The server's own URL; null if it is unknown. */
  publicUrl: string | null;
  /** The team to check, `team_…`, as `--team` names it; null for the tag's team. */
  teamId: string | null;
  /** Lists a team's allowed domains. Null if the team does not exist, undefined if the check may not know. */
  domainsOf(teamId: string): Promise<{ domain: string; isTest: boolean }[] | null | undefined>;
  /** Finds the time of the last order that a page of that host reported to a team; null if none was reported lately. */
  lastOrderOf(teamId: string, host: string): Promise<Date | null>;
}
