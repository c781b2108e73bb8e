// @module-tag long
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { readDocument } from '../kit/examples.js';
import { freePort } from '../kit/freePort.js';
import { startServerProcess } from '../kit/process.js';
import { startServerForTest } from '../kit/server.js';

it('the image’s health check is good for a server on its PORT, and bad where nothing answers or another program does', async () => {
  const [, line] = /^HEALTHCHECK \S+ CMD (.+)$/m.exec(readDocument('server/Dockerfile'))!;
  const [program, ...args] = JSON.parse(line!) as string[];
  const check = (port: string) =>
    spawnSync(program!, args, { env: { PATH: process.env.PATH, PORT: port } }).status;
  const { env } = await startServerForTest();
  const { url } = await startServerProcess({ DATABASE_URL: env.DATABASE_URL! });
  expect(check(new URL(url).port)).toBe(0);
  expect(check(String(await freePort()))).toBe(1);
});

const pgIsReady = '/usr/lib/postgresql/15/bin/pg_isready';
it.skipIf(!existsSync(pgIsReady))(
  'compose’s health check of PostgreSQL is bad while it listens on its socket alone, as during its first start',
  async () => {
    const { test } = parse(readDocument('server/compose.yaml')).services.postgres.healthcheck;
    const [, ...args] = (test as string).split(' ');
    const port = await freePort();
    const check = () => spawnSync(pgIsReady, [...args, '-p', String(port)]).status;
    // The PostgreSQL of these tests only listens on a socket. 2: no answer.
    expect(check()).toBe(2);
    // A port that only accepts connections, and is no PostgreSQL, is not ready either.
    const mute = createServer((socket) => void socket.end()).listen(port, '127.0.0.1');
    onTestFinished(() => void mute.close());
    expect(check()).not.toBe(0);
  },
);
