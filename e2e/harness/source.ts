import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Orderbeacon } from './orderbeacon.ts';

/** A source of a team, as its provider sees it. */
export interface SourceOfShop {
  url: string;
  /** Sends an event. Resolves with the status of the answer. */
  send(body: string, headers: Record<string, string>): Promise<number>;
}

/** Adds a source to a team by the command, as an operator does. */
export async function addSource(
  orderbeacon: Orderbeacon,
  teamId: string,
  kind: string,
  secret: string,
): Promise<SourceOfShop> {
  const folder = await mkdtemp(join(tmpdir(), 'orderbeacon-secret-'));
  const file = join(folder, 'secret.txt');
  await writeFile(file, secret);
  const args = ['source', 'add', '--team', teamId, kind, '--secret-file', file];
  const { url } = await orderbeacon.command<{ url: string }>(...args);
  await rm(folder, { recursive: true });
  return {
    url,
    async send(body, headers) {
      const all = { 'Content-Type': 'application/json', ...headers };
      return (await fetch(url, { method: 'POST', headers: all, body })).status;
    },
  };
}

/** Signs a body as Shopify and WooCommerce do. */
export function signInBase64(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}
