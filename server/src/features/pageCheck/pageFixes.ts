import { isLoopbackHost } from '../../values/addresses.js';
import { command } from '../../values/command.js';

/** Remedies of a page's faults, in sentences for the reader. */
export interface PageFixes {
  /** Says where to get the tag. @param teamId null if the tag's team is unknown */
  tag(teamId: string | null): string;
  /** Says how to allow a host. */
  allow(teamId: string, host: string): string;
  /** Remedy for a team that does not exist. */
  team: string;
  /** Says how to check another page. */
  check(url: string): string;
  /** Says where to get a pinned tag. */
  pinned: string;
  /** Remedy for a page that cannot be reached. @param code the reason, as `FetchText` returns it */
  unreachable(code: string, url: string): string;
  /** Remedy for a script of another server. */
  otherServer: string;
  /** Remedy for a script of the server that cannot be reached. */
  server: string;
}

/** Remedies for the operator, as commands. */
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
