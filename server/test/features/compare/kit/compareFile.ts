import { expect } from 'vitest';
import { runOrderbeacon } from '../../../kit/command.js';
import type { Shop } from '../../../kit/shop.js';

/** Runs `order compare` on a CSV that it reads from stdin. */
export const runCompare = ({ server, teamId }: Shop, csv: string | Buffer, ...options: string[]) =>
  runOrderbeacon(['order', 'compare', '--team', teamId, '-', ...options], server.env, csv);

/** Runs `order compare --json`. */
export async function compareFile(shop: Shop, csv: string | Buffer, ...options: string[]) {
  const { code, stdout, stderr } = await runCompare(shop, csv, '--json', ...options);
  const json = stdout ? JSON.parse(stdout) : null;
  return { code, stderr, json, found: json && foundIn(json) };
}

type Ids = { orderId: string | null }[];
const ids = (list: Ids) => list.map(({ orderId }) => orderId);

/** Lists the ids of each kind of difference. */
const foundIn = ({
  equal,
  missing,
  different,
  onlyHere,
}: Record<'missing' | 'different' | 'onlyHere', Ids> & { equal: number }) => ({
  equal,
  missing: ids(missing),
  different: ids(different),
  onlyHere: ids(onlyHere),
});

/** Makes the result of a comparison without differences, except the given ones. */
export const noDifferenceBut = (equal: number, more: { missing?: string[]; onlyHere?: string[] } = {}) => ({
  equal,
  missing: [],
  different: [],
  onlyHere: [],
  ...more,
});

/** Reports an order of a backend in EUR. */
export async function reportInEur(shop: Shop, orderId: string, amount: number, rest: object = {}, by = {}) {
  const answer = await shop.reportByKey({ orderId, amount, currency: 'EUR', ...rest }, by);
  expect(answer.status).toBe(200);
  return answer.body.data;
}
