import { inTransaction } from '../../../../../src/database/inTransaction.js';
import type { SourceKind } from '../../../../../src/features/sources/source.js';
import { replaceAccess } from '../../../../../src/features/sources/sql/source.js';
import { encodeId } from '../../../../../src/values/ids.js';
import type { TestServer } from '../../../../kit/server.js';
import { openShop, type Shop, shopAt } from '../../../../kit/shop.js';
import { apiKeys, startShopStandIn } from '../../shopStandIn.js';
import { addTestSource, signers } from '../sources.js';
import { type Arrival, type History, live } from './history.js';
import type { HeldOrder, Message, Report, ShopKind, Webhook } from './simulatedShop.js';

/** Plays a history. Resolves with the differences between the stored orders and the shop's; null if there are none. */
export type Play = (history: History) => Promise<string | null>;

/** Creates the player of histories of a provider. A stand-in answers for the provider's API until the test ends. */
export async function createPlay(
  servers: [TestServer, TestServer],
  kind: ShopKind,
  startMs: number,
): Promise<Play> {
  const standIns = await Promise.all(kind.providers.map(startStandIn));

  return async function play(history) {
    const { shop: simulated, arrivals, endS } = live(kind, history, startMs);
    const shop = await openShop(servers[0]);
    const sources = await Promise.all(
      kind.providers.map((provider) => addTestSource(shop.server, shop.team, { kind: provider })),
    );
    await shop.sql`update source set created_at = ${new Date(startMs)} where team_id = ${shop.team}`;
    const shops = [shop, shopAt(servers[1], shop)];
    const complaints: string[] = [];

    async function deliver(message: Message, at: number): Promise<void> {
      const to = shops[at % 2]!;
      const answer = await (message.by === 'webhook' ? sendEvent(to, message) : sendReport(to, message));
      if (answer.status === 503) return deliver(message, at);
      // A report whose buyer is not its order's is answered in this way.
      if (message.by !== 'webhook' && answer.status === 409) return;
      if (answer.status !== 200) complaints.push(`${message.by} ${answer.status}: ${answer.text}`);
    }

    function sendEvent(to: Shop, { from, topic, payload }: Webhook) {
      const source = sources.find(({ kind }) => kind === from)!;
      const body = JSON.stringify(payload);
      const headers = signers[from](body, source.secret!, topic ?? '');
      return to.server.send('POST', source.path, {
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
    }

    async function deliverAll(those: Arrival[]): Promise<void> {
      for (let at = 0; at < those.length; at += history.together)
        await Promise.all(
          those.slice(at, at + history.together).map(({ message }, n) => deliver(message, at + n)),
        );
    }

    async function ask(): Promise<void> {
      await inTransaction(shop.sql, async (tx) => {
        for (const { id, kind: provider } of sources) {
          const { url, changes } = standIns.find((one) => one.provider === provider)!;
          changes.splice(0, changes.length, ...simulated.answer(provider));
          const access = { shopUrl: url, apiKey: apiKeys[provider], allowsPrivate: true };
          await replaceAccess(tx, shop.team, id, access);
        }
        // Only the command may ask the shop.
        await tx`update source set sync_at = now() + interval '1 day', synced_at = now() where team_id = ${shop.team}`;
      });
      const { code, stdout, stderr } = await shop.command('source', 'sync', '--json');
      if (code !== 0) complaints.push(`source sync: ${stdout}${stderr}`);
      await shop.sql`update source set api_key = null where team_id = ${shop.team}`;
    }

    await deliverAll(arrivals.filter(({ atS }) => atS <= endS));
    await ask();
    await deliverAll(arrivals.filter(({ atS }) => atS > endS));
    complaints.push(...(await compare(shop, simulated.holding())));
    return complaints.length === 0 ? null : complaints.join('\n');
  };
}

async function startStandIn(provider: SourceKind) {
  const changes: Parameters<typeof startShopStandIn>[1] = [];
  const { url } = await startShopStandIn(provider, changes);
  return { provider, url, changes };
}

async function sendReport(shop: Shop, { by, report, calledMs, idempotencyKey }: Report) {
  if (by === 'backend') {
    const createdAt = new Date(calledMs).toISOString();
    return shop.reportByKey(
      { orderId: undefined, ...report, createdAt },
      { idempotencyKey: idempotencyKey! },
    );
  }
  const reportId = `orderbeacon:${calledMs.toString(36)}`;
  return shop.server.send('POST', `/svc-api/v1/orders?${Date.now()}`, {
    headers: { origin: shop.origin, 'content-type': 'application/json' },
    body: JSON.stringify({ teamId: shop.teamId, ...report, reportId }),
  });
}

/** Compares the stored orders with the shop's, one by one. */
async function compare(shop: Shop, expected: HeldOrder[]): Promise<string[]> {
  const read = await Promise.all((await shop.stored()).map(({ id }) => readOrder(shop, encodeId('ord', id))));
  // Two rows may have become one order when they were read.
  const stored = [...new Map(read.map((one) => [one?.id, one])).values()];
  const found = await Promise.all(
    expected.map(({ numbers }) => Promise.all(numbers.map((number) => readOrder(shop, number)))),
  );
  const left = [...stored];
  const complaints: string[] = [];
  for (const [at, order] of expected.entries()) {
    const wanted = written(order);
    for (const [number, got] of found[at]!.entries())
      if (got?.text !== wanted)
        complaints.push(`GET ${order.numbers[number]}: ${got?.text ?? '404'}, not ${wanted}`);
    const id = found[at]![0]?.id;
    const match = left.findIndex((one) => (id === undefined ? one?.text === wanted : one?.id === id));
    if (match >= 0) left.splice(match, 1);
    else complaints.push(`missing: ${order.numbers} ${wanted}`);
  }
  for (const one of left) complaints.push(`too much: ${one?.orderId} ${one?.text}`);
  return complaints;
}

async function readOrder(shop: Shop, name: string) {
  const { status, body } = await shop.read(name);
  if (status !== 200) return null;
  const { id, orderId, amount, refundedAmount, currency, email } = body.data;
  const buyer = /@no-email\.invalid$/.test(email) ? null : email;
  return { id, orderId, text: written({ amount, refunded: refundedAmount, currency, buyer }) };
}

const written = ({ amount, refunded, currency, buyer }: Omit<HeldOrder, 'numbers'>) =>
  `${amount} ${currency}, refunded ${refunded}, of ${buyer ?? 'nobody'}`;
