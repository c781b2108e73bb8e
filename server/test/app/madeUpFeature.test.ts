import { PassThrough, Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { features } from '../../src/app/features.js';
import { createProgram } from '../../src/app/program.js';
import { startServerForTest } from '../kit/server.js';
import { openShop } from '../kit/shop.js';
import { stock } from '../kit/stock.js';

const list = [...features, stock];

it('a feature of one file has an endpoint, a page, a command, a job and a listener once it is in the list', async () => {
  const server = await startServerForTest({ list });
  const shop = await openShop(server);
  await shop.report();
  await expect
    .poll(async () => (await shop.send('GET', '/svc-api/v1/stock')).body)
    .toEqual({ sold: 1, teams: 1 });
  const { read, get } = await shop.console();
  expect(await read('/console/stock')).toMatch(/Overview.*Orders.*Stock.*Refused.*Sold: 1/);
  expect((await get('/console/stock', {}, server.url)).status).toBe(200);
  expect((await server.send('GET', '/metrics')).text).toMatch(/"stock"/);

  const stdout = new PassThrough();
  const io = { env: server.env, stdin: Readable.from([]), stdout, stderr: new PassThrough() };
  await createProgram(io, list).parseAsync(['stock', '--json'], { from: 'user' });
  expect(JSON.parse(String(stdout.read()))).toEqual({ teams: 1 });
});
