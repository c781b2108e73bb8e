import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { Tap } from './rowFaults.js';

/** A fault of all connections to the database, open and new ones. */
export type ConnectionFault =
  | { kind: 'none' }
  /** Packets vanish: connections are accepted and stay open, nothing arrives. */
  | { kind: 'hold' }
  /** Data from PostgreSQL is delayed by this time. */
  | { kind: 'slow'; delayMs: number }
  /** New connections are reset immediately. */
  | { kind: 'refuse' };

/** A way from a server to its database on which faults can be made. */
export interface DatabaseProxy {
  /** As the database's own URL, by way of the proxy. */
  url: string;
  set(fault: ConnectionFault): void;
  /** Resets connections: all, or those that the test picks; resolves with how many. */
  reset(isPicked?: () => boolean): number;
  /** Resets the connections that were held, which stay deaf otherwise. */
  resetHeld(): void;
  /** Resets the connection that sends this text, before it arrives; resolves with the number of the reset ones. */
  resetAt(text: string): Promise<void>;
  /** Connections that are open now. */
  open(): number;
  close(): Promise<void>;
}

/** A TLS socket can't be reset itself, it is destroyed; what stands behind it goes with it. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

interface Link {
  client: Socket;
  upstream: Socket;
  isDead: boolean;
  /** The answers so far have been passed on. A later one waits for them, as TCP keeps the order of what it carries. */
  answered: Promise<unknown>;
}

/** Connects to the PostgreSQL of a URL, which may name a socket folder. */
export function connectTo(target: URL): Socket {
  const folder = target.searchParams.get('host');
  const port = Number(target.port || 5432);
  return folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, target.hostname);
}

/**
 * Starts a proxy on a port of its own in front of a PostgreSQL at a URL as `connect` takes it.
 * @param certificate has the proxy speak TLS with those who ask for it, as PostgreSQL does
 * @param openTap looks at a new connection, and may change its answers
 */
export async function startDatabaseProxy(
  databaseUrl: string,
  { certificate, openTap }: { certificate?: { key: string; cert: string }; openTap?: () => Tap } = {},
): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const openUpstream = () => connectTo(target);

  const links = new Set<Link>();
  let fault: ConnectionFault = { kind: 'none' };
  let trap: { text: string; sprung: () => void } | undefined;

  function cut(link: Link): void {
    links.delete(link);
    link.isDead = true;
    reset(link.client);
    link.upstream.destroy();
  }

  function pass(link: Link, data: Buffer, isAnswer: boolean): void {
    if (link.isDead) return;
    // A held connection stays deaf when the fault is over, as one does whose packets a firewall has dropped.
    if (fault.kind === 'hold') link.isDead = true;
    else if (isAnswer) link.answered = passAnswer(link, data, fault.kind === 'slow' ? fault.delayMs : 0);
    else link.upstream.write(data);
  }

  async function passAnswer({ answered, client }: Link, data: Buffer, delayMs: number): Promise<void> {
    await Promise.all([answered, delayMs > 0 && delay(delayMs)]);
    if (client.writable) client.write(data);
  }

  const server = createServer({ noDelay: true }, (client) => {
    client.on('error', () => {});
    if (!certificate) return serve(client);
    // The request for TLS; its bytes are the only ones before the answer.
    client.once('data', () => {
      client.write('S');
      const secure = new TLSSocket(client, { isServer: true, ...certificate });
      secure.on('error', () => {});
      serve(secure);
    });
  });

  function serve(client: Socket): void {
    if (fault.kind === 'refuse') {
      reset(client);
      return;
    }
    const link: Link = {
      client,
      upstream: openUpstream(),
      isDead: fault.kind === 'hold',
      answered: Promise.resolve(),
    };
    links.add(link);
    link.upstream.on('error', () => {});
    const tap = openTap?.();
    client.on('data', (data) => {
      if (trap && data.includes(trap.text)) {
        const { sprung } = trap;
        trap = undefined;
        cut(link);
        return sprung();
      }
      tap?.asked(data);
      pass(link, data, false);
    });
    link.upstream.on('data', (data) => pass(link, tap?.answered(data) ?? data, true));
    client.on('close', () => {
      links.delete(link);
      link.upstream.destroy();
    });
    link.upstream.on('close', () => {
      if (!link.isDead) client.end();
    });
  }
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: url.href,
    set(next) {
      fault = next;
    },
    reset(isPicked = () => true) {
      const picked = [...links].filter(isPicked);
      for (const link of picked) cut(link);
      return picked.length;
    },
    resetHeld() {
      for (const link of links) if (link.isDead) cut(link);
    },
    resetAt(text) {
      return new Promise((sprung) => {
        trap = { text, sprung };
      });
    },
    open: () => links.size,
    async close() {
      for (const link of links) cut(link);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
