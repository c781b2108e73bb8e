// @module-tag long
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { readDocument } from '../kit/examples.js';
import { freePort } from '../kit/freePort.js';
import { debianBinaries, isMissing, startOwnPostgres } from './startOwnPostgres.js';

it.skipIf(isMissing(15))(
  'compose’s health check of PostgreSQL is good by TCP, and bad while it listens on its socket alone, as during its first start',
  async () => {
    const { test } = parse(readDocument('server/compose.yaml')).services.postgres.healthcheck;
    const [program, ...args] = (test as string).split(' ');
    const check = (port: number) =>
      spawnSync(join(debianBinaries, program!), [...args, '-p', String(port)]).status;
    const { port } = await startOwnPostgres(18);
    expect(check(port)).toBe(0);
    // The PostgreSQL of these tests listens on a socket alone. 2: no answer.
    const freed = await freePort();
    expect(check(freed)).toBe(2);
    // Nothing of PostgreSQL: a port that only accepts is not ready, either.
    const mute = createServer((socket) => void socket.end()).listen(freed, '127.0.0.1');
    onTestFinished(() => void mute.close());
    expect(check(freed)).not.toBe(0);
  },
);
