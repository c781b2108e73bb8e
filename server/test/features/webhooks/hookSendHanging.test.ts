import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createSendHook, sendHook } from '../../../src/features/webhooks/send.js';
import { startRawReceiver } from '../../kit/rawReceiver.js';

const toPort = (port: number, change = {}) => ({
  url: `http://127.0.0.1:${port}/`,
  allowsPrivate: true,
  headers: {},
  body: '{"type":"hook.test"}',
  ...change,
});
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

/** Writes a text again and again, with pauses. @param onDrop called with the number of each text */
const drip =
  (text: string, first = '', onDrop: (count: number) => void = () => {}) =>
  (socket: Socket) => {
    socket.resume().write(first);
    let count = 0;
    const timer = setInterval(() => socket.write(text, () => onDrop(++count)), 100);
    socket.on('close', () => clearInterval(timer));
  };

/** Stops the clock and the timers of requests until `vi.useRealTimers`. Connections still work. */
function stopTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Waits for a condition. `expect.poll` would move the clock that `stopTimers` has stopped. */
async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await new Promise((resolve) => setImmediate(resolve));
}

/** Opens a port that completes no TCP handshake: its process is stopped, and its queue is full. */
async function startFullPort(): Promise<number> {
  const code = `const s = require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(s.address().port))`;
  const child = spawn(process.execPath, ['-e', code]);
  const [line] = await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  const queue = Array.from({ length: 8 }, () => connect(Number(line), '127.0.0.1').on('error', () => {}));
  onTestFinished(() => {
    for (const socket of queue) socket.destroy();
    child.kill('SIGKILL');
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  return Number(line);
}

const noAnswer = { status: null, error: 'No answer within 15 s.', answer: null };
const noConnection = { status: null, error: 'No connection within 15 s.', answer: null };

it('within 15 s a request ends, at whatever stage the receiver hangs, and its connection too', async () => {
  const silent = (socket: Socket) => socket.resume();
  let drops = 0;
  const stages: [accept: (socket: Socket) => void, outcome: object, change?: object][] = [
    [silent, noAnswer],
    [() => {}, noAnswer, { body: 'x'.repeat(20_000_000) }],
    [drip('', 'HTTP/1.1 20'), noAnswer],
    [drip('a: b\r\n', 'HTTP/1.1 200 OK\r\n'), noAnswer],
    [drip('HTTP/1.1 102 Wait\r\n\r\n'), noAnswer],
    [
      drip('x', 'HTTP/1.1 500 Oh\r\n\r\n', (count) => (drops = count)),
      { status: 500, error: 'The receiver answered 500.' },
    ],
    [
      drip('x', 'HTTP/1.1 200 OK\r\n\r\n'),
      { status: 200, error: null, answer: expect.stringMatching(/^x+$/) },
    ],
  ];
  const receivers = await Promise.all(stages.map(([accept]) => startRawReceiver(accept)));
  const tlsReceiver = await startRawReceiver(silent);
  const sendWithoutDns = createSendHook({ resolvePublic: () => new Promise(() => {}) });
  const fullPort = await startFullPort();
  stopTimers();
  let ended = 0;
  const requests = [
    ...receivers.map(({ port }, at) => sendHook(toPort(port, stages[at]![2]))),
    sendHook(toPort(0, { url: `https://127.0.0.1:${tlsReceiver.port}/` })),
    sendHook(toPort(fullPort)),
    sendWithoutDns(toPort(0, { url: 'https://hook.example/', allowsPrivate: false })),
  ].map((request) => request.finally(() => ended++));
  await until(() => [...receivers, tlsReceiver].every(({ open }) => open.size === 1));
  // By now the first bytes of each receiver have been read.
  await until(() => drops > 5);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(ended).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  const outcomes = [...stages.map(([, outcome]) => outcome), noConnection, noConnection, noConnection];
  expect(await Promise.all(requests)).toMatchObject(
    outcomes.map((outcome) => ({ ...outcome, tookMs: 15_000 })),
  );
  vi.useRealTimers();
  // One of the receivers does not read, and would not notice the end.
  for (const { open } of receivers) for (const socket of open) socket.resume();
  await expect.poll(() => [...receivers, tlsReceiver].map(({ open }) => open.size)).toEqual(Array(8).fill(0));
});

it('an answer that comes before the request was read counts', async () => {
  const { port, open } = await startRawReceiver((socket) => socket.write(ok));
  const body = 'x'.repeat(20_000_000);
  expect(await sendHook(toPort(port, { body }))).toMatchObject({ status: 200, error: null });
  for (const socket of open) socket.resume();
  await expect.poll(() => open.size).toBe(0);
});

it('a request ends when its signal says so, before or after it has begun', async () => {
  const receiver = await startRawReceiver((socket) => socket.resume());
  const stopping = new AbortController();
  const answer = sendHook(toPort(receiver.port, { signal: stopping.signal }));
  await expect.poll(() => receiver.open.size).toBe(1);
  stopping.abort();
  const stopped = { status: null, error: 'The server stopped before the answer came.' };
  expect(await answer).toMatchObject(stopped);
  expect(await sendHook(toPort(receiver.port, { signal: stopping.signal }))).toMatchObject(stopped);
  await expect.poll(() => receiver.open.size).toBe(0);
});
