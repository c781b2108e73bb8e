import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { sendHook } from '../../../src/features/webhooks/send.js';
import type { Listening } from '../../kit/http.js';
import { startRawReceiver } from '../../kit/rawReceiver.js';

const body = '{"type":"hook.test"}';
const to = ({ port }: Listening, path = '/hooks?a=b') => ({
  url: `http://127.0.0.1:${port}${path}`,
  allowsPrivate: true,
  headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
  body,
});

/** Calls back with each request on a connection, as text. Bodies have to come whole. */
function onRequest(socket: Socket, answer: (request: string) => void) {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
    const [head, ...rest] = text.split('\r\n\r\n');
    if (Buffer.byteLength(rest.join('\r\n\r\n')) < Number(/content-length: (\d+)/i.exec(head!)?.[1])) return;
    const request = text;
    text = '';
    answer(request);
  });
}

/** Starts a receiver that gives the same answer to each request, and then calls `then`. */
const answering = (text: string | Buffer, then: (socket: Socket) => void = () => {}) =>
  startRawReceiver((socket) =>
    onRequest(socket, () => {
      socket.write(text);
      then(socket);
    }),
  );

const end = (socket: Socket) => socket.end();
const reset = (socket: Socket) => setImmediate(() => socket.resetAndDestroy());

/** Writes a text again and again, as fast as it is read. */
const flood =
  (text: string, first = '') =>
  (socket: Socket) => {
    socket.write(first);
    const piece = text.repeat(Math.ceil(16_384 / text.length));
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    more();
  };

/** Writes a text again and again, each time in a separate packet. */
const drip =
  (text: string, first = '') =>
  (socket: Socket) => {
    socket.setNoDelay().write(first);
    const more = () => void (socket.destroyed || socket.write(text, () => setImmediate(more)));
    more();
  };

it('a request arrives as it was given, without a wish for compression', async () => {
  const requests: string[] = [];
  const receiver = await startRawReceiver((socket) =>
    onRequest(socket, (request) => {
      requests.push(request);
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nWell');
    }),
  );
  expect(await sendHook(to(receiver))).toEqual({
    status: 200,
    error: null,
    answer: 'Well',
    retryAfterMs: null,
    tookMs: expect.any(Number),
  });
  expect(requests).toHaveLength(1);
  const [head, sent] = requests[0]!.split('\r\n\r\n');
  const [line, ...headers] = head!.toLowerCase().split('\r\n');
  expect(line).toBe('post /hooks?a=b http/1.1');
  expect(headers.sort()).toEqual([
    'accept-encoding: identity',
    'connection: close',
    `content-length: ${body.length}`,
    'content-type: application/json',
    `host: 127.0.0.1:${receiver.port}`,
    'webhook-id: msg_1',
  ]);
  expect(sent).toBe(body);
});

describe('the answer', () => {
  const ok = (header: string, body: string | Buffer = '') =>
    Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`), Buffer.from(body)]);
  const cut = { isCut: true };
  const withBody = (body: string, answer: string) =>
    [ok(`content-length: ${Buffer.byteLength(body)}`, body), { answer }] as const;
  const interim = 'HTTP/1.1 102 Wait\r\n\r\nHTTP/1.1 103 Hints\r\n\r\n';

  it.each<[string, string | Buffer, object, ((socket: Socket) => void)?]>([
    ['without a body', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, answer: null }],
    ['after interim ones', `${interim}HTTP/1.1 202 A\r\ncontent-length: 0\r\n\r\n`, { status: 202 }],
    [
      'after 100 Continue',
      Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), ok('content-length: 0')]),
      {},
    ],
    [
      'after 100 and 199 twice',
      `${`HTTP/1.1 100 C\r\n\r\nHTTP/1.1 199 X\r\na: b\r\n\r\n`.repeat(2)}${ok('content-length: 0')}`,
      {},
    ],
    [
      'whose lines end in LF alone',
      'HTTP/1.1 100 C\n\nHTTP/1.1 200 OK\nContent-Length: 4\n\nWell',
      { answer: 'Well' },
    ],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nWell', { answer: 'Well' }, end],
    [
      'with a length and chunks',
      ok('content-length: 3\r\ntransfer-encoding: chunked', '4\r\nWell\r\n0\r\n\r\n'),
      { answer: 'Well' },
    ],
    ['in chunks of a byte without end', ok('transfer-encoding: chunked', '1\r\nx\r\n'.repeat(900)), cut],
    [
      'in packets of a byte without end',
      ok('content-length: 9000'),
      { answer: expect.stringMatching(/^x{1,300}$/) },
      drip('x'),
    ],
    ['that ends early', ok('content-length: 9', 'Well'), { answer: 'Well' }, end],
    ['that is reset', ok('content-length: 9'), {}, reset],
    ['whose chunks are broken', ok('transfer-encoding: chunked', 'zz\r\n'), {}],
    [
      'with compressed bytes',
      ok('content-encoding: gzip\r\ncontent-length: 4', Buffer.from([31, 139, 8, 0])),
      { answer: '\u001f\ufffd\b\ufffd' },
    ],
    ['with NUL', ...withBody('a\0b', 'a\ufffdb')],
    ['of 1,001 characters', ...withBody('é'.repeat(1001), 'é'.repeat(1000))],
    ['cut within a character', ...withBody(`${'x'.repeat(999)}👕`, `${'x'.repeat(999)}\ufffd`)],
    ['with a body without end', ok('a: b'), { answer: 'Well'.repeat(250) }, flood('Well')],
    ['with trailers without end', ok('transfer-encoding: chunked', '0\r\n'), {}, flood('a: b\r\n')],
  ])('%s is a success', async (_, text, outcome, then) => {
    const receiver = await answering(text, then);
    expect(await sendHook(to(receiver))).toMatchObject({ status: 200, error: null, ...outcome });
  });

  it('in chunks of a line, without end, is one when its time is over', { tags: ['all'] }, async () => {
    const line = `40\r\n${'y'.repeat(64)}\r\n`;
    const receiver = await answering(ok('transfer-encoding: chunked', line.repeat(900)));
    expect(await sendHook(to(receiver))).toMatchObject({
      status: 200,
      error: null,
      answer: 'y'.repeat(1000),
    });
  });

  it.each([
    ['400 Bad', 'The receiver answered 400.'],
    ['410 Gone', 'The receiver answered 410: it wants no more requests.'],
    ['500 Oh', 'The receiver answered 500.'],
    ['999 Odd', 'The receiver answered 999.'],
  ])('%s is none', async (line, error) => {
    const receiver = await answering(`HTTP/1.1 ${line}\r\ncontent-length: 0\r\n\r\n`);
    const status = Number.parseInt(line, 10);
    expect(await sendHook(to(receiver))).toMatchObject({ status, error, retryAfterMs: null });
  });

  it('may name a time to wait, in seconds or as a date', async () => {
    const waitAfter = async (text: string) => {
      const line = `HTTP/1.1 503 Later\r\nretry-after: ${text}\r\ncontent-length: 0\r\n\r\n`;
      return (await sendHook(to(await answering(line)))).retryAfterMs;
    };
    const times = {
      '120': 120_000,
      '120.5': 120_500,
      '0': 0,
      '999999999999': 86_400_000,
      soon: null,
      '-5': 0,
    };
    for (const [text, ms] of Object.entries(times)) expect([text, await waitAfter(text)]).toEqual([text, ms]);

    const date = new Date(Date.now() + 100_000).toUTCString();
    const earliestMs = Date.now();
    const waitMs = await waitAfter(date);
    expect(waitMs).toBeLessThanOrEqual(Date.parse(date) - earliestMs);
    expect(waitMs).toBeGreaterThanOrEqual(Date.parse(date) - Date.now());
  });

  it('that redirects is not followed, and says where it leads', async () => {
    const target = await answering('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `http://127.0.0.1:${target.port}/latest/meta-data`;
      const receiver = await answering(
        `HTTP/1.1 ${status} There\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`,
      );
      expect(await sendHook(to(receiver))).toMatchObject({
        status,
        error: `Redirects are not followed. The receiver names ${location}.`,
      });
    }
    expect(target.count).toBe(0);
  });

  it('that redirects to an address with a NUL is described in a text that the database takes', async () => {
    const receiver = await answering(
      'HTTP/1.1 302 There\r\nlocation: https://a.example/\0b\r\ncontent-length: 0\r\n\r\n',
    );
    expect(await sendHook(to(receiver))).toMatchObject({
      status: 302,
      error: 'Redirects are not followed. The receiver names https://a.example/\uFFFDb.',
    });
  });
});

describe('a receiver that', () => {
  const closed = 'The receiver closed the connection before it answered.';
  const otherProtocol = 'The receiver answered 101: it wants to go on in another protocol than HTTP.';
  const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
  const noHttp = 'The answer is not HTTP.';
  const tooLong = 'The receiver sent over 64 KiB, or hundreds of single bytes, before its answer.';
  const headersWithoutEnd = flood('a: b\r\n', 'HTTP/1.1 200 OK\r\n');

  it.each<[string, (socket: Socket) => void, string]>([
    ['closes the connection', end, closed],
    ['resets the connection', reset, closed],
    ['closes within the status line', (socket) => socket.end('HTTP/1.1 2'), closed],
    ['closes after an interim answer', (socket) => socket.end('HTTP/1.1 102 Go\r\n\r\n'), closed],
    ['speaks SSH', (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'), noHttp],
    [
      'changes the protocol',
      (socket) => socket.write('HTTP/1.1 101 Up\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      otherProtocol,
    ],
    ['names no protocol', (socket) => socket.write(`HTTP/1.1 101 Up\r\n\r\n${ok}`), otherProtocol],
    ['sends its headers byte by byte', drip('a', 'HTTP/1.1 200 OK\r\n'), tooLong],
    ['sends headers without end', headersWithoutEnd, tooLong],
    ['sends interim answers without end', flood('HTTP/1.1 102 Wait\r\n\r\n'), tooLong],
  ])('%s gets an error, and the connection is closed', async (_, accept, error) => {
    const receiver = await startRawReceiver((socket) => accept(socket.resume()));
    const answer = await sendHook(to(receiver));
    expect(answer).toEqual({
      status: null,
      error,
      answer: null,
      retryAfterMs: null,
      tookMs: expect.any(Number),
    });
    await expect.poll(() => receiver.open.size).toBe(0);
    expect(receiver.count).toBe(1);
  });

  it('is not there gets an error', async () => {
    const receiver = await startRawReceiver(() => {});
    expect(await sendHook({ ...to(receiver), url: 'http://127.0.0.1:1/' })).toMatchObject({
      status: null,
      error: 'The host refuses connections on this port.',
    });
  });
});

it('a URL that cannot be called is an error, and nothing is sent', async () => {
  const receiver = await startRawReceiver(() => {});
  const errorOf = async (change: object) => (await sendHook({ ...to(receiver), ...change })).error;
  expect(await errorOf({ url: 'nowhere' })).toMatch(/^The URL cannot be called: a URL is needed/);
  expect(await errorOf({ allowsPrivate: false })).toMatch(/^The URL cannot be called: .*https/);
  expect(receiver.count).toBe(0);
});
