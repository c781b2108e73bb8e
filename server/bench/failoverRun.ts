import { connect } from '../src/database/connection/connect.js';
import { type AnswerCounts, createChaosClient } from './chaosClient.js';
import type { ChaosDeps } from './chaosRun.js';
import type { Replicas } from './replicas.js';

/** The result of a failover. */
export interface FailoverResult {
  answers: AnswerCounts;
  acknowledged: number;
  /** Acknowledged orders that are not in the promoted database. */
  lost: string[];
  /** Identifiers that more than one order has. */
  doubled: string[];
  /** Time from the crash to the end of the promotion, which begins immediately. */
  promotedMs: number;
  /** Time from the crash to the first acknowledged order that was sent after it. */
  awayMs: number;
  exitCode: number | null;
}

/**
 * Runs a server on two database hosts, crashes the primary, and promotes the standby. Writers repeat each report until it is
 * acknowledged. In the end it compares the acknowledged orders with the stored ones.
 * @param seconds time of writing before the crash, and again after the first success
 */
export async function runFailover(
  { startServer, runCommand }: Omit<ChaosDeps, 'databaseUrl'>,
  replicas: Replicas,
  { seconds, writers }: { seconds: number; writers: number },
): Promise<FailoverResult> {
  const env = { DATABASE_URL: replicas.url };
  const command = async (args: string[]) => {
    const { code, stdout, stderr } = await runCommand(env, [...args, '--json']);
    if (code !== 0) throw new Error(`orderbeacon ${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };
  await command(['migrate']);
  const { id: teamId } = await command(['team', 'create', '--name', 'Failover']);
  await command(['domain', 'add', '--team', teamId, 'shop.example']);
  const server = await startServer({ ...env, ORDERBEACON_RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
  const client = createChaosClient(server.url);
  const page = { origin: 'https://shop.example', 'content-type': 'text/plain' };
  const acknowledged = new Map<string, string>();
  let isOver = false;
  let crashedMs = Number.POSITIVE_INFINITY;
  let noteSuccess = (_: number): void => {};
  const success = new Promise<number>((resolve) => {
    noteSuccess = resolve;
  });

  async function write(name: string): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const orderId = `${name}-${n}`;
      const report = { teamId, email: `${name}@buyer.example`, amount: n, orderId };
      const sentMs = performance.now();
      const answer = await client.sendUntilAcknowledged(
        'order',
        ['POST', '/svc-api/v1/orders'],
        page,
        report,
      );
      if (answer.status !== 200) return;
      acknowledged.set(orderId, answer.body.data.orderNumber);
      if (performance.now() - answer.tookMs > crashedMs || sentMs > crashedMs) noteSuccess(performance.now());
    }
  }

  const writing = Promise.all(Array.from({ length: writers }, (_, n) => write(`w${n}`)));
  const pause = () => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  await pause();
  await replicas.crashPrimary();
  crashedMs = performance.now();
  await replicas.promote();
  const promotedMs = performance.now() - crashedMs;
  // Writers end early only if an answer breaks a promise.
  const awayMs = ((await Promise.race([success, writing.then(() => Number.NaN)])) as number) - crashedMs;
  await pause();
  isOver = true;
  await writing;

  const admin = connect(replicas.url, 1);
  const stored = await admin<{ id: string; number: string }[]>`
    select order_id as id, order_number as number from placed_order`;
  await admin.end();
  const numbersOf = new Map<string, string[]>();
  for (const { id, number } of stored) numbersOf.set(id, [...(numbersOf.get(id) ?? []), number]);
  const exitCode = await server.stop();
  client.close();
  return {
    answers: client.counts,
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter(([id, number]) => !numbersOf.get(id)?.includes(number)).map(([id]) => id),
    doubled: [...numbersOf].filter(([, numbers]) => numbers.length > 1).map(([id]) => id),
    promotedMs,
    awayMs,
    exitCode,
  };
}
