import type { Sql } from '../database/connect.js';
import { makeConsoleLink } from './consoleLink.js';
import { ensureDemoTeam } from './demoTeam.js';
import type { SdkFiles } from './sdkFiles.js';
import { scriptHtml, tagHtml } from './tag.js';

/**
 * Creates the demo team if it is missing, and prints a link to its console, its page, its id, its key and the tag to paste.
 * @param options.isKept true where what is printed is kept, as in a journal: then the commands stand there that print
 * link and key, and not the two themselves
 */
export async function announceDemo(
  sql: Sql,
  { publicUrl, sdk, isKept }: { publicUrl: string; sdk: SdkFiles; isKept: boolean },
  notify: (line: string) => void,
): Promise<void> {
  const { teamId, uuid, key } = await ensureDemoTeam(sql, publicUrl);
  const anotherLink = `node_modules/.bin/orderbeacon console --team ${teamId}`;
  const another = `node_modules/.bin/orderbeacon key create --team ${teamId} --test`;
  const link = isKept ? null : await makeConsoleLink(sql, { publicUrl, teamId: uuid });
  const shownKey = key && !isKept ? `${key}  (a test key, shown this once)` : null;
  notify(`
Console:    ${link ? `${link.url}\n            (works once, for 15 minutes; another: ${anotherLink})` : anotherLink}
Demo page:  ${publicUrl}/demo
Demo team:  ${teamId}
API key:    ${shownKey ?? (isKept ? another : `shown at the first start; another: ${another}`)}

Paste these two into a shop, and allow its host: node_modules/.bin/orderbeacon domain add --team ${teamId} --test HOST

${tagHtml({ publicUrl, teamId })}

Or pin the first to this version, for the browser to check:

${scriptHtml({ publicUrl, teamId, pinnedTo: sdk })}
`);
}
