import { expect, it, onTestFinished, vi } from 'vitest';
import { createGroupCommit } from '../../src/database/queue.js';
import { toRefusal } from '../../src/http/refuse.js';
import { Overloaded } from '../../src/values/errors.js';

const limits = {
  batchRows: 4,
  statementsInFlight: 1,
  rowsWaiting: 100,
  rowsWaitingOfGroup: 100,
  waitAtMostMs: 60_000,
};

/** Creates a store whose statements end when the test ends them. */
function slowStore(over: Partial<typeof limits & { isPipelined: boolean }> = {}) {
  const statements: { group: string; rows: string[]; lane: number; end: (error?: unknown) => void }[] = [];
  const { submit, load } = createGroupCommit<string, string>(
    (group, rows, lane) =>
      new Promise((resolve, reject) => {
        const end = (error?: unknown) => (error ? reject(error) : resolve(rows.map((row) => `${row}!`)));
        statements.push({ group, rows, lane, end });
      }),
    { ...limits, ...over },
  );
  return { submit, load, statements };
}

/** Creates a store that fails for some rows. */
function faultyStore(fault: (rows: string[], call: number) => unknown) {
  const calls: string[][] = [];
  const { submit } = createGroupCommit<string, string>(async (_, rows) => {
    calls.push(rows);
    const error = fault(rows, calls.length);
    if (error) throw error;
    return rows;
  }, limits);
  return { submit, calls };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const databaseError = (code: string) => Object.assign(new Error(code), { code });
/** Returns the code of the answer to a failure. For an unexpected failure it is the failure's code or message. */
const reply = (reason: Error & { code?: string }) => {
  const { code } = toRefusal(reason);
  return code === 'internal' ? (reason.code ?? reason.message) : code;
};
const outcomes = async (results: Promise<unknown>[]) =>
  (await Promise.allSettled(results)).map((result) =>
    result.status === 'fulfilled' ? result.value : reply(result.reason),
  );

it('a lone row goes immediately, and rows that arrive meanwhile share the next statement', async () => {
  const { submit, statements } = slowStore();
  const first = submit('team', 'a');
  await turn();
  expect(statements.map(({ rows }) => rows)).toEqual([['a']]);
  const others = ['b', 'c', 'd', 'e', 'f'].map((row) => submit('team', row));
  await turn();
  expect(statements).toHaveLength(1);
  statements[0]!.end();
  expect(await first).toBe('a!');
  await turn();
  expect(statements[1]!.rows).toEqual(['b', 'c', 'd', 'e']);
  statements[1]!.end();
  await turn();
  expect(statements[2]!.rows).toEqual(['f']);
  statements[2]!.end();
  expect(await Promise.all(others)).toEqual(['b!', 'c!', 'd!', 'e!', 'f!']);
});

it('no statement holds rows of two teams, and a team with many rows does not keep another waiting', async () => {
  const { submit, statements } = slowStore();
  const results = ['1', '2', '3', '4', '5', '6'].map((row) => submit('big', row));
  results.push(submit('small', 's'));
  for (let n = 0; n < 3; n++) {
    await turn();
    statements[n]!.end();
  }
  await Promise.all(results);
  expect(statements.map(({ group, rows }) => [group, rows.length])).toEqual([
    ['big', 4],
    ['small', 1],
    ['big', 2],
  ]);
});

it('a team has one statement in flight at a time, and a slow one keeps no other team waiting', async () => {
  const { submit, statements } = slowStore({ statementsInFlight: 2 });
  const slow = [submit('slow', 'a')];
  await turn();
  slow.push(submit('slow', 'b'));
  const quick = [submit('quick', 'c')];
  await turn();
  expect(statements.map(({ rows }) => rows)).toEqual([['a'], ['c']]);
  statements[1]!.end();
  expect(await Promise.all(quick)).toEqual(['c!']);
  expect(statements).toHaveLength(2);
  statements[0]!.end();
  await turn();
  expect(statements[2]!.rows).toEqual(['b']);
  statements[2]!.end();
  expect(await Promise.all(slow)).toEqual(['a!', 'b!']);
});

const isPipelined = true;
const submitAll = (submit: (group: string, row: string) => Promise<string>, group: string, rows: string) =>
  [...rows].map((row) => submit(group, row));

it('a team’s second statement is sent behind the first on its lane once half of its rows wait, a third one is not', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { submit, load, statements } = slowStore({ statementsInFlight: 3, isPipelined });
  const results = [...submitAll(submit, 'other', 'x'), ...submitAll(submit, 'team', 'abcd')];
  await turn();
  results.push(...submitAll(submit, 'team', 'efg'));
  await turn();
  expect(statements.map(({ rows, lane }) => [rows.join(''), lane])).toEqual([
    ['x', 0],
    ['abcd', 1],
  ]);
  results.push(...submitAll(submit, 'team', 'hijklmno'));
  await turn();
  expect(statements.slice(2).map(({ rows, lane }) => [rows.join(''), lane])).toEqual([['efgh', 1]]);
  expect(load()).toEqual({ rows: 16, statements: 3 });
  statements[1]!.end();
  await turn();
  expect(statements.slice(3).map(({ rows, lane }) => [rows.join(''), lane])).toEqual([['ijkl', 1]]);
  for (const { end } of [...statements]) end();
  await turn();
  statements[4]!.end();
  expect((await Promise.all(results)).join('')).toBe('x!a!b!c!d!e!f!g!h!i!j!k!l!m!n!o!');
  expect(load()).toEqual({ rows: 0, statements: 0 });
});

it('no second statement is sent while all lanes are taken, and another team gets the first that is free', async () => {
  const { submit, statements } = slowStore({ isPipelined });
  const results = submitAll(submit, 'big', 'abcd');
  await turn();
  results.push(...submitAll(submit, 'small', 's'), ...submitAll(submit, 'big', 'efgh'));
  await turn();
  expect(statements.map(({ group }) => group)).toEqual(['big']);
  statements[0]!.end();
  await turn();
  expect(statements.map(({ group }) => group)).toEqual(['big', 'small']);
  statements[1]!.end();
  await turn();
  statements[2]!.end();
  await Promise.all(results);
});

it('nothing is sent behind a statement that lasts, and its rows are refused when their time is over', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { submit, statements } = slowStore({ statementsInFlight: 2, waitAtMostMs: 1_000, isPipelined });
  const first = outcomes(submitAll(submit, 'team', 'abcd'));
  await vi.advanceTimersByTimeAsync(101);
  const late = outcomes(submitAll(submit, 'team', 'efghijkl'));
  await vi.advanceTimersByTimeAsync(1_020);
  expect(statements).toHaveLength(1);
  expect(await late).toEqual(Array(8).fill('unavailable'));
  statements[0]!.end();
  expect(await first).toEqual(['a!', 'b!', 'c!', 'd!']);
});

it.each(['22P05', '23514'])('one row with wrong data (%s) fails alone', async (code) => {
  const { submit } = faultyStore((rows) => rows.includes('bad') && databaseError(code));
  expect(await outcomes(['a', 'bad', 'c', 'd'].map((row) => submit('team', row)))).toEqual([
    'a',
    code,
    'c',
    'd',
  ]);
});

it.each(['28P01', '3D000', '53300', '55P03', '57014', '57P01', '25006', '08006', '40P01', 'ETIMEDOUT'])(
  'what is not about the data (%s) refuses the whole batch with 503, and no part of it is tried again',
  async (code) => {
    const { submit, calls } = faultyStore(() => databaseError(code));
    const results = await outcomes(['a', 'b', 'c', 'd'].map((row) => submit('team', row)));
    expect(results).toEqual(Array(4).fill('unavailable'));
    expect(calls.every((rows) => rows.length === 4)).toBe(true);
    expect(calls).toHaveLength(code === '40P01' ? 5 : 1);
  },
);

it('a worker of Citus that is away refuses the batch with 503', async () => {
  const away = Object.assign(new Error('failure on connection marked as essential: worker:5432'), {
    code: 'XX000',
  });
  const { submit, calls } = faultyStore(() => away);
  expect(await outcomes([submit('team', 'a'), submit('team', 'b')])).toEqual(['unavailable', 'unavailable']);
  expect(calls).toHaveLength(1);
});

it('an error that nobody foresaw fails the batch once', async () => {
  const { submit, calls } = faultyStore(() => new Error('a bug'));
  expect(await outcomes(['a', 'b', 'c'].map((row) => submit('team', row)))).toEqual(Array(3).fill('a bug'));
  expect(calls).toEqual([['a', 'b', 'c']]);
});

it('a row that waits too long for its statement is refused with 503, and what is in flight is not', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { submit, statements } = slowStore({ waitAtMostMs: 20 });
  const first = submit('team', 'a');
  await vi.advanceTimersByTimeAsync(1);
  const late = outcomes([submit('team', 'b'), submit('other', 'c')]);
  await vi.advanceTimersByTimeAsync(40);
  expect(await late).toEqual(['unavailable', 'unavailable']);
  const next = submit('team', 'd');
  statements[0]!.end();
  expect(await first).toBe('a!');
  expect(statements.map(({ rows }) => rows)).toEqual([['a'], ['d']]);
  statements[1]!.end();
  expect(await next).toBe('d!');
});

it('each row that waits too long is refused when its own time is over, not later', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { submit } = slowStore({ waitAtMostMs: 1_000 });
  const refusedAtMs: Promise<number>[] = [];
  void submit('team', 'in flight');
  await vi.advanceTimersByTimeAsync(1);
  for (let n = 0; n < 48; n++) {
    const sinceMs = performance.now();
    const row = submit(n % 2 ? 'team' : `team ${n}`, 'late');
    refusedAtMs.push(
      row.then(
        () => 0,
        () => performance.now() - sinceMs,
      ),
    );
    await vi.advanceTimersByTimeAsync(70);
  }
  await vi.advanceTimersByTimeAsync(1_100);
  for (const ms of await Promise.all(refusedAtMs)) {
    expect(ms).toBeGreaterThanOrEqual(1_000);
    expect(ms).toBeLessThanOrEqual(1_020);
  }
});

it('after wrong data and then a lock that lasts the rest of the batch is refused untried', async () => {
  const { submit, calls } = faultyStore((_, call) => databaseError(call === 1 ? '22003' : '55P03'));
  expect(await outcomes(['a', 'b', 'c', 'd'].map((row) => submit('team', row)))).toEqual(
    Array(4).fill('unavailable'),
  );
  expect(calls).toEqual([
    ['a', 'b', 'c', 'd'],
    ['a', 'b'],
  ]);
});

it('a deadlock is tried again', async () => {
  const { submit, calls } = faultyStore((_, call) => call <= 2 && databaseError('40P01'));
  expect(await outcomes(['a', 'b'].map((row) => submit('team', row)))).toEqual(['a', 'b']);
  expect(calls).toHaveLength(3);
});

it('a database that goes away refuses the batch with 503, and the next batch is stored once it is back', async () => {
  const { submit } = faultyStore((_, call) => call === 1 && databaseError('CONNECTION_CLOSED'));
  expect(await outcomes(['a', 'b'].map((row) => submit('team', row)))).toEqual([
    'unavailable',
    'unavailable',
  ]);
  expect(await submit('team', 'c')).toBe('c');
});

it('past the bound a row is refused with 503 and Retry-After, and taken again when there is room', async () => {
  const { submit, statements } = slowStore({ rowsWaiting: 2 });
  const taken = [submit('team', 'a'), submit('team', 'b')];
  const refused = await submit('team', 'c').catch((error) => error);
  expect(refused).toBeInstanceOf(Overloaded);
  expect(toRefusal(refused)).toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
  });
  await turn();
  statements[0]!.end();
  await Promise.all(taken);
  const last = submit('team', 'd');
  await turn();
  statements[1]!.end();
  expect(await last).toBe('d!');
});

it('a team that floods is refused by itself, and another is still taken', async () => {
  const { submit, statements } = slowStore({ rowsWaiting: 4, rowsWaitingOfGroup: 2 });
  const taken = [submit('flood', 'a'), submit('flood', 'b')];
  // Immediately, and not only after the time that each row may wait.
  expect(await Promise.race([outcomes([submit('flood', 'c')]), turn()])).toEqual(['unavailable']);
  taken.push(submit('other', 'd'));
  await turn();
  // A statement in flight does not wait any more, so its team has room again.
  taken.push(submit('flood', 'e'));
  for (let n = 0; n < 3; n++) {
    statements[n]!.end();
    await turn();
  }
  expect(await Promise.all(taken)).toEqual(['a!', 'b!', 'd!', 'e!']);
});
