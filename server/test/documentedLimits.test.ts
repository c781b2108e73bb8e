import { expect, it } from 'vitest';
import { readConfig } from '../src/config.js';
import { queueBounds } from '../src/database/batch/groupCommit.js';
import { statementBounds } from '../src/database/statementBounds.js';
import { connectionBounds } from '../src/http/connectionBounds.js';
import { extraFieldsAtMost } from '../src/orders/extraFields.js';
import { itemDepthAtMost } from '../src/orders/itemTree.js';
import { refusedBounds } from '../src/refused/refusedBounds.js';
import { refusedKeepMs } from '../src/refused/refusedReport.js';
import { sourcesAtMost } from '../src/sources/source.js';
import { consoleLinkMs } from '../src/teams/consoleLink.js';
import { sessionMs } from '../src/teams/sql/consoleSession.js';
import { signingKeysAtMost } from '../src/teams/sql/signingKey.js';
import { amountAtMost, jsonBounds, limits } from '../src/values/limits.js';
import { readDocument } from './examples.js';

/** The number that a file's constant of this name has, where no other file may import it. */
function constantIn(path: string, name: string): number {
  const [, digits] = new RegExp(`^const ${name} = ([\\d_]+);`, 'm').exec(readDocument(path)) ?? [];
  if (!digits) throw new Error(`${path} has no constant ${name}`);
  return Number(digits.replaceAll('_', ''));
}

const count = (value: number) => value.toLocaleString('en');
const kib = (bytes: number) => `${bytes / 1024} KiB`;
const seconds = (ms: number) => `${ms / 1000} s`;
const characters = (value: number) => `${value} characters`;
const days = (ms: number) => `${ms / 86_400_000} days`;

/** The figure of each row in the guide, as the code has it. */
const figures = {
  body: kib(limits.bodyBytes),
  'body of a source’s event': `${constantIn('server/src/sources/postSource.ts', 'bytesAtMost') / 1024 ** 2} MiB`,
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
  'fields of your own, together': kib(limits.extraBytes),
  'fields of your own': count(extraFieldsAtMost),
  'levels of a field of your own': count(itemDepthAtMost),
  'warnings of an answer': count(constantIn('server/src/values/warnings.ts', 'warningsAtMost')),
  'order reports without a key, per minute and client address': count(readConfig({}).rateLimitPerMinute!),
  'orders of a team that wait for the database': count(queueBounds.rowsWaitingOfGroup),
  'orders of all teams that wait': count(queueBounds.rowsWaiting),
  'time that an order waits for its turn': seconds(queueBounds.waitAtMostMs),
  'time of a statement': seconds(statementBounds.statementMs),
  'time that a statement waits for a lock': seconds(statementBounds.lockMs),
  connections: count(connectionBounds.connections),
  'unanswered requests of a connection': count(connectionBounds.pipelined),
  'orders and refunds of a source’s event': count(
    constantIn('server/src/sources/readEvents.ts', 'eventsAtMost'),
  ),
  'further `Idempotency-Key`s of an order': count(
    constantIn('server/src/orders/sql/orderKeys.ts', 'furtherKeysAtMost'),
  ),
  'signing keys of a team': count(signingKeysAtMost),
  'sources of a team': count(sourcesAtMost),
  'orders that wait in a browser': count(constantIn('sdk/src/outbox.ts', 'storedAtMost')),
  'time that an order waits in a browser': `${constantIn('sdk/src/delivery.ts', 'ageMsAtMost') / 3_600_000} hours`,
  '[refused reports](refused-reports.md)': days(refusedKeepMs),
  'places for refused reports of a team’s own hosts': count(refusedBounds.places.allowed),
  'places for refused reports of live keys': count(refusedBounds.places.key),
  'places for refused reports of other hosts': count(refusedBounds.places.unknown),
  'places of one host or key': count(refusedBounds.placesOfSender),
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

it('the guide of retries has the times of the SDK and of the client', () => {
  const guide = readDocument('server/guides/retries.md').replace(/\s+/g, ' ');
  const longest = constantIn('sdk/src/backoff.ts', 'waitMsAtMost') / 1000;
  expect(guide).toContain(`waits half a second, then 1.5 times as long after each try, up to ${longest} s`);
  expect(readDocument('sdk/src/backoff.ts')).toContain('500 * 1.5 ** (tries - 1)');
  expect(guide).toContain('A try takes at most 6 s, the next ones 12, 24 and 48 s.');
  expect(readDocument('sdk/src/backoff.ts')).toContain('Math.min(48_000, 3000 * 2 ** tries)');
  expect(guide).toContain(
    `An order waits for ${constantIn('sdk/src/delivery.ts', 'ageMsAtMost') / 3_600_000} hours.`,
  );
  const client = readDocument('sdk/client/index.ts');
  expect(guide).toContain('repeats a call twice, after up to half a second and a second');
  expect([constantIn('sdk/client/index.ts', 'firstPauseMs'), /retries = (\d)/.exec(client)?.[1]]).toEqual([
    500,
    '2',
  ]);
  expect(guide).toContain(`longer than ${constantIn('sdk/client/index.ts', 'pauseAtMostMs') / 1000} s`);
});
