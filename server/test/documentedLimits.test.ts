import { expect, it } from 'vitest';
import { readConfig } from '../src/config.js';
import { queueBounds } from '../src/database/batch/queueBounds.js';
import { statementBounds } from '../src/database/statementBounds.js';
import { hooksAtMost } from '../src/hooks/hook.js';
import { connectionBounds } from '../src/http/connectionBounds.js';
import { extraFieldsAtMost } from '../src/orders/extraFields.js';
import { itemDepthAtMost } from '../src/orders/itemTree.js';
import { idempotencyKeysAtMost } from '../src/orders/sql/orderKeys.js';
import { refusedBounds, refusedKeepMs, restorableMs } from '../src/refused/refusedReport.js';
import { bytesAtMost } from '../src/sources/postSource.js';
import { eventsAtMost } from '../src/sources/readEvents.js';
import { sourcesAtMost } from '../src/sources/source.js';
import { consoleLinkMs } from '../src/teams/consoleLink.js';
import { keysAtMost } from '../src/teams/issueKey.js';
import { sessionMs } from '../src/teams/sql/consoleSession.js';
import { domainsAtMost } from '../src/teams/sql/domain.js';
import { signingKeysAtMost } from '../src/teams/sql/signingKey.js';
import { amountAtMost, jsonBounds, limits } from '../src/values/limits.js';
import { warningsAtMost } from '../src/values/warnings.js';
import { readDocument } from './examples.js';

const count = (value: number) => value.toLocaleString('en');
const kib = (bytes: number) => `${bytes / 1024} KiB`;
const seconds = (ms: number) => `${ms / 1000} s`;
const characters = (value: number) => `${value} characters`;
const days = (ms: number) => `${ms / 86_400_000} days`;

/** The figure of each row in the guide, as the code has it. */
const figures = {
  body: kib(limits.bodyBytes),
  'body of a source’s event': `${bytesAtMost / 1024 ** 2} MiB`,
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
  'fields of your own, together': kib(limits.extraBytes),
  'fields of your own': count(extraFieldsAtMost),
  'levels of a field of your own': count(itemDepthAtMost),
  'warnings of an answer': count(warningsAtMost),
  'order reports without a key, per minute and client address': count(readConfig({}).rateLimitPerMinute!),
  'orders of a team that wait for the database': count(queueBounds.rowsWaitingOfGroup),
  'orders of all teams that wait': count(queueBounds.rowsWaiting),
  'time that an order waits for its turn': seconds(queueBounds.waitAtMostMs),
  'time of a statement': seconds(statementBounds.statementMs),
  'time that a statement waits for a lock': seconds(statementBounds.lockMs),
  connections: count(connectionBounds.connections),
  'unanswered requests of a connection': count(connectionBounds.pipelined),
  'orders and refunds of a source’s event': count(eventsAtMost),
  '`Idempotency-Key`s of an order': count(idempotencyKeysAtMost),
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
  'a signed-in browser': `${days(sessionMs)} after its last visit`,
};

it('the guide of limits has the figures of the code, every one of them and no other', () => {
  const rows = readDocument('server/guides/limits.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Limit'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, limit, figure]) => [limit!.replaceAll("'", '’'), figure]);
  expect(Object.fromEntries(rows)).toEqual(figures);
  expect(rows).toHaveLength(Object.keys(figures).length);
});
