// @module-tag all
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendHook } from '../../../src/features/webhooks/send.js';
import { newHookSecret, signHook } from '../../../src/features/webhooks/signature.js';
import { exampleOf } from '../../kit/examples.js';
import { freePort } from '../../kit/freePort.js';
import { startHttp } from '../../kit/http.js';
import { temporaryFolder } from '../../kit/temporaryFolder.js';

const example = (name: string) => exampleOf('server/guides/webhook-receivers.md', name);
const has = (command: string) => spawnSync(command, ['--version']).status === 0;

const id = 'msg_01kaefr2ccv1x8h5k7b3n9s4mw';
const person = { sequenceId: 'seq_1', email: 'zoë@shop.example' };
const body = JSON.stringify({
  type: 'enrollment.created',
  timestamp: '2026-05-01T18:00:00.000Z',
  data: person,
});
const logging = 'export async function handle(id, { type }) { console.log(id, type); }';

/** Starts a receiver of the guide in a folder with these files. Resolves with its secret, its URL and its output. */
async function startReceiver(
  command: (port: number) => string[],
  files: Record<string, string>,
  settings: Record<string, string> = {},
) {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const [port, secret] = [await freePort(), newHookSecret()];
  const [program, ...args] = command(port);
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    WEBHOOK_SECRET: secret,
    ...settings,
  };
  const child: ChildProcess = spawn(program!, args, { cwd, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const receiver = { url: `http://127.0.0.1:${port}/`, secret, printed: '' };
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      receiver.printed += text;
    });
  const isListening = () =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  await expect.poll(isListening).toBe(true);
  return receiver;
}

const statusOf = async (url: string, headers: object, sent = body) =>
  (await sendHook({ url, allowsPrivate: true, headers: { ...headers }, body: sent })).status;

const receivers = {
  node: {
    command: () => [process.execPath, 'receiver.mjs'],
    files: () => ({ 'receiver.mjs': example('node'), 'handle.mjs': logging }),
  },
  php: {
    command: (port: number) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
    files: () => ({ 'receiver.php': example('php') }),
  },
  python: {
    command: () => ['python3', 'receiver.py'],
    files: () => ({ 'receiver.py': example('python') }),
  },
};

describe.each(Object.entries(receivers))('the guide’s receiver in %s', (name, { command, files }) => {
  it.skipIf(name !== 'node' && !has(command(0)[0]!))('takes what is signed, and nothing else', async () => {
    const receiver = await startReceiver(command, files());
    const { url, secret } = receiver;
    const now = Date.now();
    const signed = signHook(secret, id, now, body);
    const two = { ...signed, 'webhook-signature': `v1,AAAA ${signed['webhook-signature']}` };
    expect(await statusOf(url, signed)).toBe(204);
    expect(await statusOf(url, two)).toBe(204);
    for (const headers of [
      {},
      { ...signed, 'webhook-signature': 'v1,AAAA' },
      { ...signed, 'webhook-id': 'msg_2' },
      { ...signed, 'webhook-timestamp': 'soon' },
      signHook(newHookSecret(), id, now, body),
      signHook(secret, id, now - 400_000, body),
      signHook(secret, id, now + 400_000, body),
    ])
      expect(await statusOf(url, headers)).toBe(401);
    expect(await statusOf(url, signed, body.replace('zoë', 'ann'))).toBe(401);
    const notices = () => receiver.printed.split(`${id} enrollment.created`).length - 1;
    await expect.poll(notices).toBe(2);
  });
});

it('the guide’s handler tells Plunk of enrollments alone, and fails when Plunk does', async () => {
  const notices: { path: string; key: string; body: unknown }[] = [];
  let status = 200;
  const plunk = await startHttp(async (request, response) => {
    notices.push({
      path: `${request.method} ${request.url}`,
      key: String(request.headers.authorization),
      body: JSON.parse(Buffer.concat(await request.toArray()).toString()),
    });
    response.writeHead(status).end('{}');
  });
  const { url, secret } = await startReceiver(
    receivers.node.command,
    { 'receiver.mjs': example('node'), 'handle.mjs': example('plunk') },
    { PLUNK_URL: plunk.url, PLUNK_SECRET_KEY: 'sk_1' },
  );
  const send = (sent: string) => statusOf(url, signHook(secret, id, Date.now(), sent), sent);
  expect(await send(body)).toBe(204);
  expect(await send(JSON.stringify({ type: 'order.created', data: {} }))).toBe(204);
  status = 500;
  expect(await send(body)).toBe(500);
  const one = {
    path: 'POST /v1/track',
    key: 'Bearer sk_1',
    body: { event: 'seq_1', email: 'zoë@shop.example' },
  };
  expect(notices).toEqual([one, one]);
});

it('the guide’s Apps Script writes an event of whoever has the key, and answers without a redirect', () => {
  const rows: unknown[][] = [];
  const sheet = { appendRow: (row: unknown[]) => void rows.push(row) };
  const services = {
    PropertiesService: { getScriptProperties: () => ({ getProperty: () => 'k1' }) },
    SpreadsheetApp: { getActive: () => ({ getSheetByName: () => sheet }) },
    // ContentService is missing, because its answers redirect.
    HtmlService: { createHtmlOutput: (text: string) => text },
  };
  const make = new Function(...Object.keys(services), `${example('apps-script')}; return doPost;`);
  const doPost = make(...Object.values(services));
  const event = {
    type: 'order.created',
    timestamp: '2026-05-01T18:00:00.000Z',
    data: { id: 'ord_1', amount: 5 },
  };
  const post = (key: string) => doPost({ parameter: { key }, postData: { contents: JSON.stringify(event) } });
  expect(post('k1')).toBe('ok');
  expect(() => post('k2')).toThrow('The key is wrong.');
  expect(rows).toEqual([[event.timestamp, event.type, 'ord_1', 5, undefined]]);
});
