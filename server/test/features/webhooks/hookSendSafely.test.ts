import type { LookupAddress } from 'node:dns';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSendHook, type SendHook, sendHook } from '../../../src/features/webhooks/send.js';
import { type KeyPair, makeCertificates } from '../../kit/certificateAuthority.js';
import { startRawReceiver } from '../../kit/rawReceiver.js';

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const loopback: LookupAddress = { address: '127.0.0.1', family: 4 };
/** A public address of an unassigned network, so that nothing answers. */
const elsewhere: LookupAddress = { address: '3000::1', family: 6 };

let authority: KeyPair;
let issued: Record<'valid' | 'expired' | 'future' | 'other', KeyPair>;
beforeAll(async () => {
  const [past, lately, soon, future] = ['2020', '2021', '2048', '2049'].map((year) => `${year}0101000000Z`);
  const made = await makeCertificates({
    valid: ['hook.example', past!, future!],
    expired: ['hook.example', past!, lately!],
    future: ['hook.example', soon!, future!],
    other: ['shop.example', past!, future!],
  });
  ({ authority, issued } = made);
});

/** Starts a receiver that speaks TLS and answers each request with 200. */
const startTlsReceiver = (pair: KeyPair, options = {}) =>
  startRawReceiver((socket) => socket.on('data', () => socket.write(ok)), { ...pair, ...options });

const send = (port: number, sendHook: SendHook, change = {}) =>
  sendHook({ url: `https://hook.example:${port}/`, allowsPrivate: true, headers: {}, body: '{}', ...change });

describe('TLS', () => {
  const senderFor = (ca?: string) =>
    createSendHook({ resolvePrivate: async () => [loopback], ...(ca && { ca }) });

  it('with a certificate of a trusted authority for the host succeeds', async () => {
    const { port } = await startTlsReceiver(issued.valid);
    expect(await send(port, senderFor(authority.cert))).toMatchObject({ status: 200, error: null });
  });

  it.each<[string, () => KeyPair, string, object?]>([
    ['has expired', () => issued.expired, 'The TLS certificate has expired.'],
    ['is not valid yet', () => issued.future, 'The TLS certificate is not valid yet.'],
    ['is for another host', () => issued.other, 'The TLS certificate is for another host.'],
  ])('with a certificate that %s fails, and sends nothing', async (_, pair, error) => {
    const receiver = await startTlsReceiver(pair());
    expect(await send(receiver.port, senderFor(authority.cert))).toMatchObject({ status: null, error });
    await expect.poll(() => receiver.open.size).toBe(0);
  });

  it('with a certificate of an unknown authority, or of none, fails', async () => {
    const unknown = await startTlsReceiver(issued.valid);
    const whole = await startTlsReceiver({ ...issued.valid, cert: issued.valid.cert + authority.cert });
    const selfSigned = await startTlsReceiver(authority);
    const errors = await Promise.all(
      [unknown, whole, selfSigned].map(async ({ port }) => (await send(port, senderFor())).error),
    );
    expect(errors).toEqual([
      'The TLS certificate is from an authority that this server does not trust, or the receiver does not send its intermediate certificate.',
      'The TLS certificate is from an authority that this server does not trust.',
      'The TLS certificate is self-signed.',
    ]);
  });

  it('that is too old, or that is plain HTTP, fails', async () => {
    const old = await startTlsReceiver(issued.valid, {
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const plain = await startRawReceiver((socket) => socket.end('HTTP/1.1 400 Bad\r\n\r\n'));
    expect((await send(old.port, senderFor(authority.cert))).error).toMatch(/^The TLS handshake failed \(/);
    expect((await send(plain.port, senderFor(authority.cert))).error).toBe('The port does not speak TLS.');
  });
});

describe('a host', () => {
  const senderFor = (...answers: LookupAddress[][]) => {
    const asked: string[] = [];
    const resolvePublic = async (host: string) => {
      asked.push(host);
      return answers[Math.min(asked.length, answers.length) - 1]!;
    };
    return {
      asked,
      sender: createSendHook({ resolvePublic, resolvePrivate: resolvePublic, ca: authority.cert }),
    };
  };
  const isPublic = { allowsPrivate: false };

  it('that leads to private addresses only is not called', async () => {
    const receiver = await startTlsReceiver(issued.valid);
    const { sender } = senderFor([
      loopback,
      { address: '::1', family: 6 },
      { address: '::ffff:127.0.0.1', family: 6 },
    ]);
    expect(await send(receiver.port, sender, isPublic)).toMatchObject({
      status: null,
      error: 'The host leads to a private address only, which this hook may not call.',
    });
    expect(await send(receiver.port, sender)).toMatchObject({ status: 200 });
    expect(receiver.count).toBe(1);
  });

  it('that changes its address after it was checked is called at the one that was checked', async () => {
    const receiver = await startTlsReceiver(issued.valid);
    const { sender, asked } = senderFor([elsewhere], [loopback]);
    const { error } = await send(receiver.port, sender, { ...isPublic, signal: AbortSignal.timeout(500) });
    expect(error).not.toBeNull();
    expect(asked).toEqual(['hook.example']);
    expect((await send(receiver.port, sender, isPublic)).error).toMatch(/private address/);
    expect(receiver.count).toBe(0);
  });

  it('with public and private addresses is called at the public ones', async () => {
    const receiver = await startTlsReceiver(issued.valid);
    const { sender } = senderFor([loopback, elsewhere, loopback]);
    const { error } = await send(receiver.port, sender, { ...isPublic, signal: AbortSignal.timeout(500) });
    expect(error).not.toMatch(/private address/);
    expect(receiver.count).toBe(0);
  });

  it('that DNS does not know gives an error', async () => {
    const { error } = await sendHook({ url: 'https://hook.invalid/', ...isPublic, headers: {}, body: '' });
    expect(error).toMatch(/^The (?:host has no address in DNS|name server of the host .*)\.$/);
    const refused = Object.assign(new Error(), { code: 'ECONNREFUSED', syscall: 'queryA' });
    const withoutDns = createSendHook({ resolvePublic: () => Promise.reject(refused) });
    expect((await send(1, withoutDns, isPublic)).error).toBe('The name server of the host does not answer.');
    const { sender } = senderFor([]);
    expect((await send(1, sender)).error).toBe('The host has no address in DNS.');
    expect((await send(1, sender, isPublic)).error).toBe('The host has no address in DNS.');
  });
});
