import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { Tap } from './rowFaults.js';

/** A fault of all connections to the database, open and new ones. */
export type ConnectionFault =
  | { kind: 'none' }
  /** Packets are lost: connections are accepted and stay open, but nothing arrives. */
  | { kind: 'hold' }
  /** Data from PostgreSQL is delayed by this time. */
  | { kind: 'slow'; delayMs: number }
  /** New connections are reset immediately. */
  | { kind: 'refuse' };

/** A proxy between a server and its database, which can make faults. */
export interface DatabaseProxy {
  /** The database's URL, by way of the proxy. */
  url: string;
  set(fault: ConnectionFault): void;
  /** Resets all connections, or those that the test picks. Resolves with their number. */
  reset(isPicked?: () => boolean): number;
  /** Resets the held connections. Otherwise they transfer nothing any more. */
  resetHeld(): void;
  /** Resets the connection that sends a text, before the text arrives. Resolves with the number of reset connections. */
  resetAt(text: string): Promise<void>;
  /** Returns the number of open connections. */
  open(): number;
  close(): Promise<void>;
}

/** Resets a socket. A TLS socket cannot be reset, so it is destroyed, which also closes its connection. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

interface Link {
  client: Socket;
  upstream: Socket;
  isDead: boolean;
  /** Resolves when the answers so far have been passed on. A later answer waits for it, because TCP keeps the order. */
  answered: Promise<unknown>;
}

/** Connects to the PostgreSQL of a URL, which may name a socket folder. */
export function connectTo(target: URL): Socket {
  const folder = target.searchParams.get('host');
  const port = Number(target.port || 5432);
  return folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, target.hostname);
}

/**
 * Starts a proxy on a free port in front of a PostgreSQL, whose URL is as `connect` takes it.
 * @param certificate lets clients use TLS if they ask for it, as PostgreSQL does
 * @param openTap reads the data of a new connection, and may change its answers
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
    // A held connection stays silent after the fault, like one whose packets a firewall has dropped.
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
    // The request for TLS. The client sends nothing else before the answer.
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
