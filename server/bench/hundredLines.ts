import { randomUUID } from 'node:crypto';
import { argv, env } from 'node:process';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import postgres from 'postgres';
import { z } from 'zod';

/**
 * Serves as the comparison for orders: a server that stores each order once by its `orderId`, as one would write it in an
 * afternoon. It has two tables with an index each, and one allowed origin. It has no keys, merges, webhooks, bounds or pages.
 *
 * `hundredLines.js each` commits each order by itself, `hundredLines.js batch` all waiting ones in one statement.
 */
const isBatched = argv[2] === 'batch';
const { searchParams, username, pathname } = new URL(env.DATABASE_URL!);
const sql = postgres({
  // The folder of the embedded PostgreSQL's socket.
  host: searchParams.get('host')!,
  username,
  database: pathname.slice(1),
  max: isBatched ? 1 : 10,
  onnotice: () => {},
});
await sql`create table if not exists buyer (team text, email text, name text, primary key (team, email))`;
await sql`create table if not exists sale (
  team text, number text, id uuid not null, email text not null, amount numeric not null, currency text not null, name text,
  items json, visitor text, at timestamptz not null default now(), primary key (team, number))`;

const orderSchema = z.object({
  teamId: z.string().max(128),
  email: z.email().max(254),
  amount: z.number().min(0),
  orderId: z.string().min(1).max(128),
  currency: z.string().length(3).default('USD'),
  name: z.string().max(255).optional(),
  items: z
    .array(z.looseObject({ name: z.string().optional(), quantity: z.number().optional() }))
    .max(500)
    .optional(),
  visitorId: z.string().max(128).optional(),
});
type Sale = z.infer<typeof orderSchema> & { id: string };

/** Stores orders in one statement. Resolves with the ids of the new ones. */
async function store(sales: Sale[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    with sent as (
      select * from json_to_recordset(${JSON.stringify(sales)}::text::json) as r (
        "teamId" text, "orderId" text, id uuid, email text, amount numeric, currency text, name text, items json, "visitorId" text
      )
    ), met as (
      insert into buyer select distinct on ("teamId", email) "teamId", email, name from sent on conflict do nothing
    )
    insert into sale (team, number, id, email, amount, currency, name, items, visitor)
    select "teamId", "orderId", id, email, amount, currency, name, items, "visitorId" from sent
    on conflict do nothing
    returning id`;
  return new Set(rows.map(({ id }) => id));
}

let waiting: { sale: Sale; resolve: (isNew: boolean) => void; reject: (error: unknown) => void }[] = [];
let isBusy = false;

function storeSoon(sale: Sale): Promise<boolean> {
  return new Promise((resolve, reject) => {
    waiting.push({ sale, resolve, reject });
    if (!isBusy) setImmediate(storeWaiting);
  });
}

async function storeWaiting(): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  while (waiting.length > 0) {
    const batch = waiting.slice(0, 256);
    waiting = waiting.slice(256);
    try {
      const stored = await store(batch.map(({ sale }) => sale));
      for (const { sale, resolve } of batch) resolve(stored.has(sale.id));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
  isBusy = false;
}

const app = new Hono();
app.post('/svc-api/v1/orders', async (c) => {
  if (c.req.header('origin') !== 'https://shop.example') return c.json({ success: false }, 403);
  const parsed = orderSchema.safeParse(JSON.parse(await c.req.text()));
  if (!parsed.success) return c.json({ success: false }, 400);
  const sale = { ...parsed.data, id: randomUUID() };
  const isNew = isBatched ? await storeSoon(sale) : (await store([sale])).has(sale.id);
  c.header('Access-Control-Allow-Origin', '*');
  return c.json({ success: true, data: { ...sale, isNew } });
});

const server = createAdaptorServer({ fetch: app.fetch });
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listens on http://127.0.0.1:${(server.address() as { port: number }).port}\n`);
});
