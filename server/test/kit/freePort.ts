import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Finds a free port of 127.0.0.1, for programs that cannot take port 0 or do not report their port. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
