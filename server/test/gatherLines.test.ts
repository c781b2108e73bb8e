import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { gatherLines } from '../src/monitoring/gatherLines.js';
import { createTestDatabase } from './database.js';
import { startServerProcess } from './process.js';
import { sendTo } from './server.js';

afterEach(() => void vi.useRealTimers());

function gather() {
  const texts: string[] = [];
  let flushed = 0;
  const write = (text: string) => void texts.push(text);
  const output = { write, flush: () => {}, flushSync: () => void flushed++ };
  return { texts, flushed: () => flushed, ...gatherLines(output, { charactersAtMost: 10, waitMs: 1000 }) };
}

it('lines are written together once they have so many characters, and again for the next ones', () => {
  const { write, texts } = gather();
  for (const line of ['1234\n', '567\n']) write(line);
  expect(texts).toEqual([]);
  for (const line of ['8\n', 'the next\n', 'ones\n', 'wait\n']) write(line);
  expect(texts).toEqual(['1234\n567\n8\n', 'the next\nones\n']);
});

it('a line waits its own second, whenever the lines before it were written, and is written once', () => {
  vi.useFakeTimers();
  const { write, texts } = gather();
  write('123456789\n');
  vi.advanceTimersByTime(600);
  write('later\n');
  vi.advanceTimersByTime(999);
  expect(texts).toEqual(['123456789\n']);
  vi.advanceTimersByTime(1);
  expect(texts).toEqual(['123456789\n', 'later\n']);
  vi.advanceTimersByTime(10_000);
  expect(texts).toHaveLength(2);
});

it('what still waits is written before the output is flushed', () => {
  const { write, flushSync, texts, flushed } = gather();
  write('last\n');
  flushSync();
  expect([texts, flushed()]).toEqual([['last\n'], 1]);
});

it('the last lines of a server that ends immediately are in its log', async () => {
  const { env, close } = await createTestDatabase();
  onTestFinished(close);
  const onStart = encodeURIComponent(`process.on('SIGTERM', () => process.exit(3));`);
  const server = await startServerProcess({
    ...env,
    LOG_LEVEL: 'info',
    NODE_OPTIONS: `--import=data:text/javascript,${onStart}`,
  });
  expect((await sendTo(new URL('/healthz', server.url), 'GET')).status).toBe(200);
  server.signal('SIGTERM');
  await server.ended;
  expect(server.output()).toContain('"/healthz"');
});
