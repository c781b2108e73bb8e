import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Systems give no port below 32768 to programs that ask for any, so that nobody else gets one of these before it is
 * listened on, or while it is not.
 */
const firstPort = 20_000;
/** Each worker of a run has these ports for itself. */
const portsOfWorker = 100;
const worker = Number(process.env.VITEST_POOL_ID ?? 0);
let taken = process.pid;

/** A port of 127.0.0.1 that nothing listens on, for programs that take no 0 and for servers that come back. */
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
