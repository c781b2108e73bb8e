import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * First port of the tests. If a program asks for any port, systems give it one above 32767. So no other program gets one of
 * these before it is listened on, or while it is not.
 */
const firstPort = 20_000;
/** Number of ports that each worker of a run has for itself. */
const portsOfWorker = 100;
const worker = Number(process.env.VITEST_POOL_ID ?? 0);
let taken = process.pid;

/** Finds a free port of 127.0.0.1, for programs that cannot take port 0 and for servers that restart. */
export async function freePort(): Promise<number> {
  for (let left = portsOfWorker; left > 0; left--) {
    const port = firstPort + worker * portsOfWorker + (taken++ % portsOfWorker);
    if (await isFree(port)) return port;
  }
  throw new Error(`All ${portsOfWorker} ports of worker ${worker} are taken.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
