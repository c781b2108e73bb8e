import { expect, it } from 'vitest';
import { readConfig } from '../../../src/config.js';
import { consoleLinkMs } from '../../../src/console/access/consoleAccess.js';
import { sessionMs } from '../../../src/console/access/consoleSession.js';
import { formBytesAtMost } from '../../../src/console/forms.js';
import { oneOfTeam } from '../../../src/console/orders/downloadCsv.js';
import { lookAtMost } from '../../../src/console/orders/loadOrders.js';
import { waitBounds } from '../../../src/console/turns.js';
import { idempotencyKeysAtMost } from '../../../src/core/orders/merge/identifiersOfPlan.js';
import { waitingBounds } from '../../../src/core/orders/merge/waiting.js';
import { extraFieldsAtMost } from '../../../src/core/orders/receive/extraFields.js';
import { itemDepthAtMost } from '../../../src/core/orders/receive/unstorable.js';
import { keysAtMost } from '../../../src/core/teams/issueKey.js';
import { domainsAtMost } from '../../../src/core/teams/sql/domain.js';
import { signingKeysAtMost } from '../../../src/core/teams/sql/signingKey.js';
import { statementBounds } from '../../../src/database/connection/connect.js';
import { queueBounds } from '../../../src/database/queue.js';
import { variantsAtMost } from '../../../src/features/catalog/productSchema.js';
import { uploadBytes } from '../../../src/features/compare/console/uploads.js';
import { checkMs, checksPerMinute } from '../../../src/features/pageCheck/console/checkAddress.js';
import { refusedBounds, refusedKeepMs, restorableMs } from '../../../src/features/refused/refusedReport.js';
import { pageBytesAtMost } from '../../../src/features/sources/ask/askShop.js';
import { pagesAtMost } from '../../../src/features/sources/ask/syncSource.js';
import { bytesAtMost, readingBounds } from '../../../src/features/sources/receive/postSource.js';
import { eventsAtMost } from '../../../src/features/sources/receive/readEvents.js';
import { sourcesAtMost } from '../../../src/features/sources/source.js';
import { keptMs } from '../../../src/features/webhooks/expireDeliveries.js';
import { hooksAtMost } from '../../../src/features/webhooks/hook.js';
import { bytesAtMost as answerBytes } from '../../../src/features/webhooks/postOn.js';
import { atMostMs } from '../../../src/features/webhooks/schedule.js';
import { answerMs } from '../../../src/features/webhooks/send.js';
import { slotsAtMost } from '../../../src/features/webhooks/startDelivering.js';
import { chunksOfAnyBody, connectionBounds } from '../../../src/http/connectionBounds.js';
import { amountAtMost, jsonBounds, limits } from '../../../src/values/limits.js';
import { readDocument } from '../../kit/examples.js';

const count = (value: number) => value.toLocaleString('en');
const kib = (bytes: number) => `${bytes / 1024} KiB`;
const mib = (bytes: number) => `${bytes / 1024 ** 2} MiB`;
const seconds = (ms: number) => `${ms / 1000} s`;
const characters = (value: number) => `${count(value)} characters`;
const days = (ms: number) => (ms === 86_400_000 ? '1 day' : `${ms / 86_400_000} days`);

/** The figures of the rows in the guide, as the code has them. */
const figures = {
  body: kib(limits.bodyBytes),
  'body of a source’s event': mib(bytesAtMost),
  'body of a form of the console': kib(formBytesAtMost),
  'chunks of a body without a length': `${count(chunksOfAnyBody)}, and more where they are not tiny`,
  headers: kib(connectionBounds.maxHeaderSize),
  'time for the headers': seconds(connectionBounds.headersTimeout),
  'time for the whole request': seconds(connectionBounds.requestTimeout),
  'values of a body': count(jsonBounds.values),
  'different names in a body': count(jsonBounds.names),
  '`amount`': count(amountAtMost),
  '`email`': characters(limits.email),
  '`orderId` and other ids': characters(limits.id),
  '`Idempotency-Key` and `reportId`': characters(limits.reportId),
  '`name` and other texts': characters(limits.text),
  '`items`': count(limits.items),
  'refunds of an order': count(limits.refunds),
  'refunds of a team that wait for their orders': count(limits.waitingRefunds),
  'ends of unpaid shop orders of a team that wait for a page’s': count(waitingBounds.end.atMost),
  'pages’ reports of a team that wait for their orders': count(waitingBounds.page.atMost),
  'fields of your own, together': kib(limits.extraBytes),
  'fields of your own': count(extraFieldsAtMost),
  'levels of a field of your own': count(itemDepthAtMost),
  'order reports without a key, per minute and client address': count(readConfig({}).rateLimitPerMinute!),
  'orders of a team that wait to be stored': count(queueBounds.rowsWaitingOfGroup),
  'time that an order waits to be stored': seconds(queueBounds.waitAtMostMs),
  'variants of a product': count(variantsAtMost),
  'time of a statement of the database': seconds(statementBounds.statementMs),
  connections: count(connectionBounds.connections),
  'unanswered requests of a connection': count(connectionBounds.pipelined),
  'orders and refunds of a source’s event': count(eventsAtMost),
  '`Idempotency-Key`s of an order': count(idempotencyKeysAtMost),
  'events of a team that wait to be read': count(readingBounds.waitingPerKey),
  'pages of a shop’s answer': count(pagesAtMost),
  'a page of a shop’s answer': mib(pageBytesAtMost),
  'time for a webhook’s answer': seconds(answerMs),
  'bytes of a webhook’s answer that are read': kib(answerBytes),
  'requests to webhooks at the same time': count(slotsAtMost),
  'time in which a delivery is repeated': days(atMostMs),
  'time that a page of the console waits for the database': seconds(waitBounds.waitAtMostMs),
  'orders that a search looks through at a time': count(lookAtMost),
  'downloads of orders of a team': count(oneOfTeam.concurrentPerKey),
  'file to compare': `${uploadBytes / 1e6} MB`,
  'checks of pages of a team in a minute': count(checksPerMinute),
  'time of a check': seconds(checkMs),
  'deliveries of webhooks': days(keptMs),
  'refused reports of one domain, or of all other hosts, from one client address': count(
    refusedBounds.reportsOfClient,
  ),
  'domains of a team': count(domainsAtMost),
  'API keys of a team, live and test': count(keysAtMost),
  'webhooks of a team': count(hooksAtMost),
  'signing keys of a team': count(signingKeysAtMost),
  'sources of a team': count(sourcesAtMost),
  // sdk/test/outbox.test.ts and sdk/test/delivery.test.ts test these.
  'orders that wait in a browser': 'what its localStorage holds',
  'time that an order waits in a browser': '72 hours',
  '[refused reports](refused-reports.md)': days(refusedKeepMs),
  'time in which a discarded report can be restored': days(restorableMs),
  'refused reports of a team’s own hosts and live keys': count(refusedBounds.ownReports),
  'refused reports of a team’s other hosts': count(refusedBounds.otherReports),
  'refused reports of one host or key': count(refusedBounds.reportsOfSender),
  'a link that the command `console` prints': `${consoleLinkMs / 60_000} minutes`,
  'a signed-in browser': `${days(sessionMs)} after its last visit`,
};

it('the guide of limits has the figures of the code, in at most 60 rows, and says what happens beyond each and where one sees it', () => {
  const rows = readDocument('server/guides/limits.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Limit'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, limit, ...more]) => [limit!.replaceAll("'", '’'), ...more]);
  expect(Object.fromEntries(rows.map(([limit, figure]) => [limit, figure]))).toEqual(figures);
  expect(rows).toHaveLength(Object.keys(figures).length);
  expect(rows.length).toBeLessThanOrEqual(60);
  expect(rows.filter(([, , beyond, seen]) => !beyond || !seen)).toEqual([]);
});
