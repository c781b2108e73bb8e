import { expect, it } from 'vitest';
import { limitAtMost } from '../src/commands/order.js';
import { readConfig } from '../src/config.js';
import { waitAtMostMs, waiting, waitingOfTeam } from '../src/console/ask.js';
import { arrivalBounds, comparisonBounds, storedAtMost } from '../src/console/compare/compareUpload.js';
import { uploadBytes } from '../src/console/compare/uploads.js';
import { formBytesAtMost, formFieldsAtMost } from '../src/console/forms.js';
import { oneOfTeam } from '../src/console/orders/getOrdersCsv.js';
import { lookAtMost } from '../src/console/orders/loadOrders.js';
import { reportsOnPage } from '../src/console/refused/loadRefused.js';
import { storeForMs } from '../src/console/refused/storeRefused.js';
import { checkMs, checksPerMinute, concurrentChecks } from '../src/console/setup/checkAddress.js';
import { queueBounds } from '../src/database/batch/queueBounds.js';
import { statementsOf } from '../src/database/pools.js';
import { statementBounds } from '../src/database/statementBounds.js';
import { keptMs } from '../src/hooks/expireDeliveries.js';
import { hooksAtMost } from '../src/hooks/hook.js';
import { slotsOfQuick } from '../src/hooks/lane.js';
import { bytesAtMost as answerBytes } from '../src/hooks/postOn.js';
import { atMostMs } from '../src/hooks/schedule.js';
import { answerMs } from '../src/hooks/send.js';
import { slotsAtMost } from '../src/hooks/startDelivering.js';
import { bytesOfChunk, chunksOfAnyBody } from '../src/http/boundChunks.js';
import { connectionBounds } from '../src/http/connectionBounds.js';
import { clientsRemembered } from '../src/http/rateLimiter.js';
import { bytesTogether } from '../src/http/readJson.js';
import { extraFieldsAtMost } from '../src/orders/extraFields.js';
import { itemDepthAtMost } from '../src/orders/itemTree.js';
import { currenciesOfDay, namesOfDay } from '../src/orders/sql/daySums.js';
import { keysListed } from '../src/orders/sql/listOrders.js';
import { idempotencyKeysAtMost } from '../src/orders/sql/orderKeys.js';
import { cachedBytes } from '../src/products/getProduct.js';
import { variantsAtMost } from '../src/products/productSchema.js';
import { refusedBounds, refusedKeepMs, restorableMs } from '../src/refused/refusedReport.js';
import { groupsAtMost } from '../src/refused/sql/groupRefused.js';
import { shownCharacters } from '../src/refused/sql/listRefused.js';
import { pageBytesAtMost } from '../src/sources/askShop.js';
import { bytesAtMost, readingBounds } from '../src/sources/postSource.js';
import { eventBounds, eventsAtMost } from '../src/sources/readEvents.js';
import { sourcesAtMost } from '../src/sources/source.js';
import { shops } from '../src/sources/startSyncing.js';
import { pagesAtMost } from '../src/sources/syncSource.js';
import { consoleLinkMs } from '../src/teams/consoleLink.js';
import { keysAtMost } from '../src/teams/issueKey.js';
import { cached } from '../src/teams/senderCache.js';
import { sessionMs, sessionsListed } from '../src/teams/sql/consoleSession.js';
import { domainsAtMost } from '../src/teams/sql/domain.js';
import { signingKeysAtMost } from '../src/teams/sql/signingKey.js';
import { columnsAtMost, rowCharacters } from '../src/values/csvFile.js';
import { amountAtMost, jsonBounds, limits } from '../src/values/limits.js';
import { warningsAtMost } from '../src/values/warnings.js';
import { readDocument } from './examples.js';

const count = (value: number) => value.toLocaleString('en');
const kib = (bytes: number) => `${bytes / 1024} KiB`;
const mib = (bytes: number) => `${bytes / 1024 ** 2} MiB`;
const seconds = (ms: number) => `${ms / 1000} s`;
const characters = (value: number) => `${count(value)} characters`;
const days = (ms: number) => `${ms / 86_400_000} days`;

/** The figure of each row in the guide, as the code has it. */
const figures = {
  body: kib(limits.bodyBytes),
  'body of a source’s event': mib(bytesAtMost),
  'body of a form of the console': kib(formBytesAtMost),
  'fields of a form of the console': count(formFieldsAtMost),
  'chunks of a body without a length, of any size': count(chunksOfAnyBody),
  'bytes that each further chunk has on average': count(bytesOfChunk),
  [`bodies over ${kib(bytesTogether)} that are read at the same time`]: count(1),
  headers: kib(connectionBounds.maxHeaderSize),
  'time for the headers': seconds(connectionBounds.headersTimeout),
  'time for the whole request': seconds(connectionBounds.requestTimeout),
  'values of a body': count(jsonBounds.values),
  'different names in a body': count(jsonBounds.names),
  'values of a source’s event': count(eventBounds.values),
  'different names in a source’s event': count(eventBounds.names),
  '`amount`': count(amountAtMost),
  '`email`': characters(limits.email),
  '`orderId` and other ids': characters(limits.id),
  '`Idempotency-Key` and `reportId`': characters(limits.reportId),
  '`name` and other texts': characters(limits.text),
  '`items`': count(limits.items),
  'refunds of an order': count(limits.refunds),
  'refunds of a team that wait for their orders': count(limits.waitingRefunds),
  'fields of your own, together': kib(limits.extraBytes),
  'fields of your own': count(extraFieldsAtMost),
  'levels of a field of your own': count(itemDepthAtMost),
  'warnings of an answer': count(warningsAtMost),
  'order reports without a key, per minute and client address': count(readConfig({}).rateLimitPerMinute!),
  'orders of a team that wait for the database': count(queueBounds.rowsWaitingOfGroup),
  'orders of all teams that wait': count(queueBounds.rowsWaiting),
  'time that an order waits for its turn': seconds(queueBounds.waitAtMostMs),
  'client addresses that are counted': count(clientsRemembered),
  'orders of one statement': count(queueBounds.batchRows),
  'teams, and keys, that are known without a look-up': count(cached),
  'products that are kept in memory': mib(cachedBytes),
  'variants of a product': count(variantsAtMost),
  'time of a statement': seconds(statementBounds.statementMs),
  'time that a statement waits for a lock': seconds(statementBounds.lockMs),
  connections: count(connectionBounds.connections),
  'unanswered requests of a connection': count(connectionBounds.pipelined),
  'orders and refunds of a source’s event': count(eventsAtMost),
  '`Idempotency-Key`s of an order': count(idempotencyKeysAtMost),
  'keys of an order in lists, files and webhooks': count(keysListed),
  'currencies of a day with sums of their own': count(currenciesOfDay),
  'sources, mediums and campaigns of a day, each': count(namesOfDay),
  'events that are read at the same time': count(readingBounds.concurrent),
  'events of a team that wait to be read': count(readingBounds.waitingPerKey),
  'events of all teams that wait to be read': count(readingBounds.waiting),
  'shops that are asked at the same time': count(shops),
  'pages of a shop’s answer': count(pagesAtMost),
  'a page of a shop’s answer': mib(pageBytesAtMost),
  'time for a webhook’s answer': seconds(answerMs),
  'bytes of a webhook’s answer that are read': kib(answerBytes),
  'requests to webhooks at the same time': count(slotsAtMost),
  'of these to one webhook': count(slotsOfQuick),
  'time in which a delivery is repeated': days(atMostMs),
  'statements of the console at the same time': count(statementsOf.console),
  'of these of one team': count(statementsOf.console - 1),
  'statements of a team that wait': count(waitingOfTeam),
  'statements of all teams that wait': count(waiting),
  'time that a statement of the console waits': seconds(waitAtMostMs),
  'orders that a search looks through at a time': count(lookAtMost),
  'downloads of orders of a team': count(oneOfTeam.concurrentPerKey),
  'file to compare': `${uploadBytes / 1e6} MB`,
  'row of a file': characters(rowCharacters),
  'columns of a file': count(columnsAtMost),
  'files that arrive at the same time, one of a team': count(arrivalBounds.concurrent),
  'comparisons at the same time, one of a team': count(comparisonBounds.concurrent),
  'missing orders that one press stores': count(storedAtMost),
  'time for which a press stores refused reports': seconds(storeForMs),
  'refused reports on a page': count(reportsOnPage),
  'kinds of refused reports on a page': count(groupsAtMost),
  'a refused report’s body in lists': characters(shownCharacters),
  'checks of pages at the same time, one of a team': count(concurrentChecks.concurrent),
  'checks of pages of a team in a minute': count(checksPerMinute),
  'time of a check': seconds(checkMs),
  'orders that `order list` lists': count(limitAtMost),
  'deliveries of webhooks': days(keptMs),
  'refused reports that wait to be kept': count(refusedBounds.reportsWaiting),
  'the same of one domain, or all other hosts, from one address or IPv6 network of 64 bits': count(
    refusedBounds.reportsOfClient,
  ),
  'of these of one address or key': count(refusedBounds.reportsWaitingOfClient),
  'of these reports of one team': count(refusedBounds.reportsWaitingOfTeam),
  'domains of a team': count(domainsAtMost),
  'live API keys of a team': count(keysAtMost),
  'webhooks of a team': count(hooksAtMost),
  'signing keys of a team': count(signingKeysAtMost),
  'sources of a team': count(sourcesAtMost),
  // As sdk/test/outbox.test.ts and sdk/test/delivery.test.ts have them.
  'orders that wait in a browser': 'what its localStorage holds',
  'time that an order waits in a browser': '72 hours',
  '[refused reports](refused-reports.md)': days(refusedKeepMs),
  'time in which a discarded one can be restored': days(restorableMs),
  'refused reports of a team’s own hosts and live keys': count(refusedBounds.ownReports),
  'refused reports of a team’s other hosts': count(refusedBounds.otherReports),
  'the same of one host or key': count(refusedBounds.reportsOfSender),
  'a link that the command `console` prints': `${consoleLinkMs / 60_000} minutes`,
  'signed-in browsers that are listed': count(sessionsListed),
  'a signed-in browser': `${days(sessionMs)} after its last visit`,
};

it('the guide of limits has the figures of the code, every one of them and no other, and says what happens beyond each and where one sees it', () => {
  const rows = readDocument('server/guides/limits.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Limit'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, limit, ...more]) => [limit!.replaceAll("'", '’'), ...more]);
  expect(Object.fromEntries(rows.map(([limit, figure]) => [limit, figure]))).toEqual(figures);
  expect(rows).toHaveLength(Object.keys(figures).length);
  expect(rows.filter(([, , beyond, seen]) => !beyond || !seen)).toEqual([]);
});
