import { isLoopbackHost } from '../../values/addresses.js';
import { command } from '../../values/command.js';

/** Remedies of a page's problems, in words for whoever reads them. */
export interface PageFixes {
  /** The place that has the tag. @param teamId null means the tag's own team is unknown */
  tag(teamId: string | null): string;
  /** Allows a host. */
  allow(teamId: string, host: string): string;
  /** A team that does not exist. */
  team: string;
  /** Checks another page. */
  check(url: string): string;
  /** The place that has a pinned tag. */
  pinned: string;
  /** A page that cannot be reached. @param code the reason, as `FetchText` says it */
  unreachable(code: string, url: string): string;
  /** A script of another server. */
  otherServer: string;
  /** A script of the server that cannot be reached. */
  server: string;
}

/** Fixes for the operator, as commands. */
export const commandFixes: PageFixes = {
  tag: (teamId) => `${command} tag --team ${teamId ?? 'team_…'} prints it.`,
  allow: (teamId, host) =>
    `${command} domain add --team ${teamId} ${isLoopbackHost(host) ? '--test ' : ''}${host}`,
  team: `Paste the tag again, with the id that the console’s page Setup prints, or this: ${command} team list`,
  check: (url) => `${command} doctor ${url}`,
  pinned: `${command} tag --team team_… --pin`,
  unreachable: () => 'Open it in a browser on this machine.',
  otherServer: 'Paste the tag again, or set PUBLIC_URL.',
  server: 'See the check of the public URL.',
};
