import { expect, it } from 'vitest';
import { Overloaded } from '../../src/values/errors.js';
import { createSemaphore, type SemaphoreLimits } from '../../src/values/semaphore.js';

/** Starts actions that run until the test ends them. */
function start(limits: SemaphoreLimits) {
  const semaphore = createSemaphore(limits);
  const running = new Map<string, () => void>();
  const started: string[] = [];
  const run = (name: string, key?: string) =>
    semaphore.run(() => {
      started.push(name);
      return new Promise<string>((resolve) => running.set(name, () => resolve(name)));
    }, key);
  return {
    semaphore,
    run,
    started,
    async end(...names: string[]) {
      for (const name of names) running.get(name)!();
      await turn();
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const refusal = (result: Promise<unknown>) =>
  result.then(
    () => [],
    (error: Error) => [error instanceof Overloaded, error.message],
  );

it('lets so many run concurrently, and the others in the order in which they came', async () => {
  const { run, started, end, semaphore } = start({ concurrent: 2, waiting: 10 });
  const all = ['a', 'b', 'c', 'd'].map((name) => run(name));
  await turn();
  expect(started).toEqual(['a', 'b']);
  expect(semaphore.load()).toBe(4);
  await end('b');
  expect(started).toEqual(['a', 'b', 'c']);
  await end('a');
  await end('c', 'd');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  expect(semaphore.load()).toBe(0);
});

it('an action that fails is answered with its failure, and the next one runs', async () => {
  const { semaphore } = start({ concurrent: 1, waiting: 1 });
  const failing = semaphore.run(() => Promise.reject(new Error('broken')));
  const next = semaphore.run(async () => 'next');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('next');
  expect(semaphore.load()).toBe(0);
});

it('a key that may run several actions concurrently leaves one of them to the others', async () => {
  const { run, started, end } = start({ concurrent: 3, concurrentPerKey: 2, waiting: 10 });
  const all = ['a', 'b', 'c', 'd'].map((name) => run(name, 'many'));
  await turn();
  all.push(run('x', 'one'));
  await turn();
  expect(started).toEqual(['a', 'b', 'x']);
  await end('x');
  expect(started).toHaveLength(3);
  await end('a', 'b');
  await end('c', 'd');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'x']);
});

it('keys take turns: one that came first with many does not keep another waiting', async () => {
  const { run, started, end } = start({ concurrent: 1, waiting: 10 });
  const all = ['a', 'b', 'c'].map((name) => run(name, 'many'));
  all.push(run('x', 'one'));
  for (const name of ['a', 'b', 'x', 'c']) {
    await turn();
    await end(name);
  }
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'x']);
  expect(started).toEqual(['a', 'b', 'x', 'c']);
});

it('one waiting call too many is refused, of all keys and of one, and taken again when there is a place', async () => {
  const { run, end } = start({ concurrent: 1, waiting: 3, waitingPerKey: 2, message: 'Too many.' });
  const all = ['a', 'b', 'c'].map((name) => run(name, 'many'));
  expect(await refusal(run('d', 'many'))).toEqual([true, 'Too many.']);
  all.push(run('x', 'one'));
  expect(await refusal(run('y', 'other'))).toEqual([true, 'Too many.']);
  await end('a');
  all.push(run('e', 'many'));
  for (const name of ['b', 'x', 'c', 'e']) await end(name);
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'x', 'e']);
});

it('a call that waits too long is refused and never runs, and one that runs is not', async () => {
  const { run, started, end, semaphore } = start({ concurrent: 1, waiting: 10, waitAtMostMs: 20 });
  const first = run('a');
  expect((await refusal(run('late')))[0]).toBe(true);
  expect(semaphore.load()).toBe(1);
  const next = run('b');
  await end('a');
  await end('b');
  expect(await Promise.all([first, next])).toEqual(['a', 'b']);
  expect(started).toEqual(['a', 'b']);
});

it('without waiting a key is acquired only when it is free', () => {
  const { tryAcquire } = createSemaphore({ concurrent: 2, concurrentPerKey: 1, waiting: 0 });
  const release = tryAcquire('a')!;
  expect(tryAcquire('a')).toBeNull();
  tryAcquire('b')!();
  release();
  expect(tryAcquire('a')).not.toBeNull();
});
