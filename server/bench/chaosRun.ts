import { connect } from '../src/database/connection/connect.js';
import { startDatabaseProxy } from '../test/kit/databaseProxy.js';
import { createRandom } from '../test/kit/random.js';
import { type AnswerCounts, createChaosClient } from './chaosClient.js';
import { type FaultCounts, startFaults } from './chaosFaults.js';

/** The parts of a chaos run that its caller provides. */
export interface ChaosDeps {
  /** URL of a migrated database for this run only. */
  databaseUrl: string;
  startServer(env: Record<string, string>): Promise<{
    url: string;
    residentBytes(): number;
    /** Returns the end of its log. */
    output(): string;
    /** Stops it. Resolves with its exit code. */
    stop(): Promise<number | null>;
  }>;
  runCommand(
    env: Record<string, string>,
    args: string[],
    input?: string,
  ): Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** The result of a run. Each entry of a list is a broken promise. */
export interface ChaosResult {
  faults: FaultCounts;
  answers: AnswerCounts;
  acknowledged: number;
  merged: number;
  enrollments: number;
  imports: { done: number; failed: number; wrong: string[] };
  /** Acknowledged orders that are not stored. */
  lost: string[];
  /** Identifiers that more than one order has. */
  doubled: string[];
  /** Orders whose key report was acknowledged, and whose amount is not the key's. */
  unmerged: string[];
  /** Number of subscriptions of the one person to the one sequence. It must be 1. */
  subscriptions: number;
  /** The server's exit code. 0 also means that no fault went unhandled. */
  exitCode: number | null;
  /** Resident memory of the server, a sample a second. */
  residentBytes: number[];
}

const peopleOfImport = 200;

/**
 * Runs a server for some seconds, with random faults on its connections to the database: they are reset, held, slowed and
 * refused. Writers repeat each report until it is acknowledged. There are merges, look-ups, enrollments and imports, too. In the
 * end it compares the acknowledged orders with the stored ones.
 */
export async function runChaos(
  { databaseUrl, startServer, runCommand }: ChaosDeps,
  { seconds, seed, writers }: { seconds: number; seed: number; writers: number },
): Promise<ChaosResult> {
  const { next: random } = createRandom(seed);
  const direct = { DATABASE_URL: databaseUrl };
  const command = async <T>(args: string[], input = ''): Promise<T> => {
    const { code, stdout, stderr } = await runCommand(direct, [...args, '--json'], input);
    if (code !== 0) throw new Error(`orderbeacon ${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const { id: teamId } = await command<{ id: string }>(['team', 'create', '--name', 'Chaos']);
  const ofTeam = ['--team', teamId];
  await command(['domain', 'add', ...ofTeam, 'shop.example']);
  const { key } = await command<{ key: string }>(['key', 'create', ...ofTeam]);
  const { id: sequenceId } = await command<{ id: string }>(['sequence', 'create', ...ofTeam, '--name', 'S']);
  await command(['person', 'add', ...ofTeam, '--email', 'known@buyer.example']);
  const product = {
    title: 'Mug',
    slug: 'mug',
    type: 'PHYSICAL',
    pricingType: 'SINGLE',
    price: 5,
    currency: 'USD',
  };
  await command(['product', 'import', ...ofTeam, '-'], JSON.stringify([product]));

  const proxy = await startDatabaseProxy(databaseUrl);
  const server = await startServer({
    DATABASE_URL: proxy.url,
    ORDERBEACON_RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
  });
  const client = createChaosClient(server.url);
  const admin = connect(databaseUrl, 1);
  const faults = startFaults(
    proxy,
    random,
    () => admin`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'orderbeacon%'`,
  );

  const authorization = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const page = { origin: 'https://shop.example', 'content-type': 'text/plain' };
  const orders: [string, string] = ['POST', '/svc-api/v1/orders'];
  const acknowledged = new Map<string, string>();
  const mergedAmounts = new Map<string, number>();
  const subscriptionIds = new Set<string>();
  const imports: ChaosResult['imports'] = { done: 0, failed: 0, wrong: [] };
  const residentBytes: number[] = [];
  let enrollments = 0;
  let isOver = false;

  /** Reports orders, one after the other. Some have an orderId, and a page and a backend report them; others have a reportId. */
  async function write(name: string): Promise<void> {
    const { next: choose } = createRandom(seed + Number(name.slice(1)) + 1);
    for (let n = 0; !isOver; n++) {
      const id = `${name}-${n}`;
      const fields = { teamId, email: `${name}@buyer.example`, amount: n };
      const named = choose() < 0.7 ? { orderId: id } : { reportId: id };
      const answer = await client.sendUntilAcknowledged('order', orders, page, { ...fields, ...named });
      if (answer.status !== 200) return;
      acknowledged.set(id, answer.body.data.orderNumber);
      if (!('orderId' in named) || choose() < 0.5) continue;
      const amount = n + 0.5;
      const merge = await client.sendUntilAcknowledged('merge', orders, authorization, {
        ...fields,
        ...named,
        amount,
      });
      if (merge.status === 200) mergedAmounts.set(id, amount);
    }
  }

  async function repeat(run: () => Promise<unknown>, pauseMs: number): Promise<void> {
    while (!isOver) {
      await run();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  async function enroll(): Promise<void> {
    const wish = { email: 'known@buyer.example', sequenceId };
    const path: [string, string] = ['POST', '/svc-api/v1/sequences/enroll'];
    const answer = await client.sendUntilAcknowledged('enroll', path, authorization, wish);
    if (answer.status !== 200) return;
    enrollments++;
    subscriptionIds.add(answer.body.data.subscriptionId);
  }

  /** Imports people. A failed import prints one line, and succeeds when it is repeated. */
  async function importPeople(): Promise<void> {
    const domain = `import-${imports.done + imports.failed}.example`;
    const rows = Array.from({ length: peopleOfImport }, (_, n) => `person${n}@${domain}`);
    const args = ['person', 'import', ...ofTeam, '-', '--json'];
    const { code, stderr } = await runCommand(
      { DATABASE_URL: proxy.url },
      args,
      ['email', ...rows].join('\n'),
    );
    const [row] = await admin`select count(*)::int as people from person where email like ${`%@${domain}`}`;
    const isWhole = row!.people === peopleOfImport || code !== 0;
    const isOneLine = code === 0 || (code === 1 && /^orderbeacon: [^\n]*\n$/.test(stderr));
    if (!isWhole || !isOneLine) imports.wrong.push(`${code}, ${row!.people} people: ${stderr}`);
    if (code === 0) imports.done++;
    else imports.failed++;
  }

  const jobs = [
    ...Array.from({ length: writers }, (_, n) => write(`w${n}`)),
    ...[1, 2].map(() => repeat(enroll, 20)),
    ...[1, 2].map(() =>
      repeat(() => client.send('look-up', ['GET', '/svc-api/v1/products/mug'], authorization), 20),
    ),
    repeat(() => client.send('readiness', ['GET', '/readyz'], {}), 100),
    repeat(importPeople, 500),
    repeat(async () => residentBytes.push(server.residentBytes()), 1_000),
  ];
  // On a busy machine a short run could end before its first merge, and would not have tested any.
  do await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  while (mergedAmounts.size === 0 && client.counts.wrong.length === 0);
  isOver = true;
  await faults.stop();
  await Promise.all(jobs);

  const stored = await admin<{ id: string; number: string; amount: string }[]>`
    select coalesce(order_id, report_id) as id, order_number as number, amount from placed_order`;
  const subscriptions = await admin`select from subscription`;
  const numbersOf = new Map<string, string[]>();
  for (const { id, number } of stored) numbersOf.set(id, [...(numbersOf.get(id) ?? []), number]);
  const amountOf = new Map(stored.map(({ id, amount }) => [id, Number(amount)]));
  const log = server.output().split('\n');
  /** Answers that break a promise, with their log lines. */
  const wrong = client.counts.wrong.map((answer) => {
    const requestId = /"requestId":"([^"]+)"/.exec(answer)?.[1];
    return [answer, ...log.filter((line) => requestId && line.includes(requestId))].join(' ');
  });
  const exitCode = await server.stop();
  client.close();
  await admin.end({ timeout: 1 });
  await proxy.close();
  return {
    faults: faults.counts,
    answers: { ...client.counts, wrong },
    acknowledged: acknowledged.size,
    merged: mergedAmounts.size,
    enrollments,
    imports,
    lost: [...acknowledged].filter(([id, number]) => !numbersOf.get(id)?.includes(number)).map(([id]) => id),
    doubled: [...numbersOf].filter(([, numbers]) => numbers.length > 1).map(([id]) => id),
    unmerged: [...mergedAmounts].filter(([id, amount]) => amountOf.get(id) !== amount).map(([id]) => id),
    subscriptions: Math.max(subscriptions.length, subscriptionIds.size),
    exitCode,
    residentBytes,
  };
}
