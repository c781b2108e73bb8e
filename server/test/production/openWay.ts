import { once } from 'node:events';
import { createServer, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { makeChain } from '../kit/certificateChain.js';
import { freePort } from '../kit/freePort.js';
import { runProcess, startServerProcess } from '../kit/process.js';
import { startServerForTest } from '../kit/server.js';
import { guideProxy, shopPath, startWebServer, type WebServer } from '../kit/webServers.js';

/** Replaces a line of a configuration. */
export type Mistake = (config: string) => string;

/** A request from an address of this machine, such as 127.0.0.9. */
interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  from?: string;
}

/**
 * Starts what the guides put between a buyer and servers. It is the proxy with TLS, whose authority is made for the test. If
 * wanted, the shop's web server is in front of it.
 * @param given.mistake changes the proxy's configuration; `shopMistake` that of the shop's web server, `publicUrl` the setting
 */
export async function openWay(
  name: WebServer,
  given: {
    servers?: number;
    isBehindShop?: boolean;
    env?: Record<string, string>;
    mistake?: Mistake;
    shopMistake?: Mistake;
    publicUrl?: Mistake;
  } = {},
) {
  const { servers = 1, isBehindShop = false, mistake = (config) => config } = given;
  const { shopMistake = (config) => config, publicUrl = (url) => url } = given;
  const { folder, root, rootFile } = makeChain();
  const [port, shop] = [await freePort(), await freePort()];
  const url = `https://localhost:${port}`;
  const settings = {
    PUBLIC_URL: publicUrl(url),
    ORDERBEACON_TRUST_PROXY: isBehindShop ? '127.0.0.1' : '1',
    ...given.env,
  };
  /** A server for the database, the team, and the stored rows. It answers none of the requests. */
  const database = await startServerForTest();
  const env = { ...database.env, ...settings, NODE_EXTRA_CA_CERTS: rootFile };
  const processes = [];
  for (let at = 0; at < servers; at++) processes.push(await startServerProcess(env));
  const targets = processes.map(({ output }) => new URL(/listens on (\S+)/.exec(output())![1]!).host);
  const config = mistake(guideProxy[name]({ folder, port, targets, isBehindShop }));
  const path = isBehindShop ? `\n${shopMistake(shopPath[name](shop, port, rootFile))}` : '';
  await startWebServer(name, config + path, isBehindShop ? [port, shop] : [port]);

  const send = (
    path: string,
    { method = 'GET', headers = {}, body, from = '127.0.0.1' }: Sent = {},
    base = url,
  ) =>
    new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
      const ask = base.startsWith('https:') ? requestTls : requestPlain;
      const options = { method, headers, localAddress: from, ca: root, family: 4 };
      const sent = ask(base + path, options, async (response) => {
        let text = '';
        for await (const piece of response) text += piece;
        resolve({ status: response.statusCode!, headers: response.headers, text });
      });
      sent.once('error', reject).end(body);
    });

  /** Runs the doctor, with a tag also on a page of the shop that has it. Resolves with a function that finds a check. */
  async function examine(tag?: string) {
    const args = tag === undefined ? [] : [`${await startShop(tag)}/thanks`];
    const { stdout } = await runProcess(['doctor', '--json', ...args], env);
    const checks: { check: string; ok: boolean; message: string; fix: string | null }[] = JSON.parse(stdout);
    return {
      red: checks.filter(({ ok }) => !ok),
      of: (name: string) => checks.find(({ check }) => check === name)!,
    };
  }

  /** Starts the shop: its page, and its web server for all else. */
  async function startShop(tag: string): Promise<string> {
    const page = createServer((incoming, response) => {
      if (incoming.url === '/thanks') return void response.end(tag);
      const headers = { ...incoming.headers, host: `127.0.0.1:${shop}` };
      const onwards = requestPlain(
        { port: shop, path: incoming.url, method: incoming.method, headers },
        (answer) => {
          response.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(response);
        },
      );
      incoming.pipe(onwards);
    }).listen(0, '127.0.0.1');
    await once(page, 'listening');
    onTestFinished(() => void page.close());
    return `http://localhost:${(page.address() as AddressInfo).port}`;
  }

  return {
    url,
    /** Base URL of a page's reports. */
    pageBase: isBehindShop ? `http://127.0.0.1:${shop}/shop-orders` : url,
    database,
    env,
    send,
    examine,
  };
}
