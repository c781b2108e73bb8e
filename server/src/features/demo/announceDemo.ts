import { makeConsoleLink } from '../../console/access/consoleAccess.js';
import type { SdkFiles } from '../../core/script/sdkFiles.js';
import { noPin, scriptHtml, tagHtml } from '../../core/script/tag.js';
import type { Sql } from '../../database/connection/connect.js';
import { command } from '../../values/command.js';
import { ensureDemoTeam } from './demoTeam.js';

/** Properties of a server that has begun to listen. */
export interface Announced {
  publicUrl: string;
  sdk: SdkFiles;
  /** Set if somebody can open the demo page. */
  isPageServed: boolean;
  /** Set if the output is a terminal. Otherwise it is kept where others can read it, as in a file, a journal or Docker's log. */
  isTerminal: boolean;
}

/**
 * Creates the demo team if it is missing, and prints its console link, page, id and API key, and the tag to paste. If
 * others can read the output, it prints the commands for the link and the key instead of these two. If the demo was
 * removed, it prints how to get a link to another team's console.
 */
export async function announceDemo(
  sql: Sql,
  { publicUrl, sdk, isPageServed, isTerminal }: Announced,
  notify: (line: string) => void,
): Promise<void> {
  const demo = await ensureDemoTeam(sql, publicUrl);
  if (!demo) {
    notify(`
Console:    ${publicUrl}/console
            (a link that signs in: ${command} console --team team_…)
`);
    return;
  }
  const { teamId, uuid, apiKey } = demo;
  const anotherLink = `${command} console --team ${teamId}`;
  const another = `${command} key create --team ${teamId} --test`;
  const link = isTerminal ? await makeConsoleLink(sql, { publicUrl, teamId: uuid }) : null;
  const shownKey = apiKey && isTerminal ? `${apiKey}  (a test key, shown this once)` : null;
  const page = isPageServed ? `${publicUrl}/demo` : 'not served; ORDERBEACON_DEMO=on serves it to everyone';
  const pinned = sdk.pin
    ? `Or pin the first to this version, for the browser to check:

${scriptHtml({ publicUrl, teamId, pinnedTo: sdk.pin })}`
    : noPin;
  notify(`
Console:    ${link ? `${link.url}\n            (works once, for 15 minutes; another: ${anotherLink})` : `${anotherLink}\n            (prints a link that works once; not here, because without a terminal the output may be kept)`}
Demo page:  ${page}
Demo team:  ${teamId}
            (with a month of sample orders; to remove all: ${command} team remove --team ${teamId})
API key:    ${shownKey ?? (isTerminal ? `shown at the first start; another: ${another}` : another)}

Your shop:  ${command} team create --name "My shop" --domain shop.example --link
            (prints its own HTML, and a link to its console)

To try a page of yours in the demo team, paste these two, and allow its host: ${command} domain add --team ${teamId} --test HOST

${tagHtml({ publicUrl, teamId })}

${pinned}
`);
}
