import { connect, type Socket } from 'node:net';
import type { DatabaseHost } from '../../values/databaseUrl.js';
import { beginTls, type Tls } from './beginTls.js';
import type { HostChoice } from './chooseHost.js';
import { type WatchedSocket, watchSocket } from './watchSocket.js';

/** The part of its options that postgres.js gives to its `socket` option and that is used here. */
interface Target {
  path?: string | false;
}

/** Sockets of one pool. */
export interface Sockets {
  /** The `socket` option of postgres.js: opens a connection, and always resolves. */
  openSocket(target: Target): Promise<Socket>;
  /** Ends the connections that are open. */
  destroyAll(): void;
}

/**
 * Creates the sockets of a pool. `openSocket` keeps postgres.js 3.4.9 from its own faults when a connection is lost; each
 * was seen to happen here:
 * - something that accepts connections and closes them unanswered, such as a proxy whose database is away, is tried
 *   again immediately and without end, and no query fails (its issue 1193);
 * - the end of a transaction that lost its connection is written to a socket that is null, which ends the
 *   process (issue 1133); the reason of the loss fails a later query, on another connection;
 * - a write that waits while the connection closes keeps the next one from ever sending its startup message.
 * The first two are cured by `watchSocket`, the last by it and `startupPadding`. TLS is begun here and not by
 * postgres.js, so that all this holds with it too.
 * @param timeoutMs time for a connection to be accepted, TLS included
 * @param options.answerMs time to wait for an answer; null for ever
 * @param options.tls null for none
 * @param options.hosts chooses where to connect to, unless postgres.js has the path of a socket
 * @param options.neighbours sockets of this pool and of others that are lost together; default: of this pool
 */
export function createSockets(
  timeoutMs: number,
  {
    answerMs,
    tls,
    hosts,
    neighbours = new Set(),
  }: { answerMs: number | null; tls: Tls | null; hosts: HostChoice; neighbours?: Set<WatchedSocket> },
): Sockets {
  const open = new Set<Socket>();
  return { openSocket, destroyAll };

  /** Tries one host after the other; resolves with the last one's dead socket if none takes a connection. */
  async function openSocket({ path }: Target): Promise<Socket> {
    for (;;) {
      const place = path || hosts.next();
      const socket = await openOne(place);
      if (typeof place === 'string' || !socket.destroyed || !hosts.passOver(place)) return socket;
      // Its error is emitted once more as it closes, and nobody listens to this socket.
      socket.on('error', () => {});
    }
  }

  function destroyAll(): void {
    for (const socket of open) socket.destroy();
  }

  function openOne(place: DatabaseHost | string): Promise<Socket> {
    return new Promise((resolve) => {
      const raw = typeof place === 'string' ? connect(place) : connect(place.port, place.host);
      let socket = raw;
      const timer = setTimeout(() => {
        socket.destroy(Object.assign(new Error('The database does not answer'), { code: 'CONNECT_TIMEOUT' }));
      }, timeoutMs);
      const take = (next: Socket) => {
        socket = next;
        watch(socket, place);
        const finish = () => {
          clearTimeout(timer);
          socket.off('connect', finish).off('secureConnect', finish).off('error', finish);
          // A rejection would lose postgres.js one connection of its pool for good: it gets the dead socket.
          resolve(socket);
        };
        socket.on('error', finish);
        if (socket === raw && !raw.connecting) finish();
        else socket.on(socket === raw ? 'connect' : 'secureConnect', finish);
      };
      if (tls && typeof place !== 'string') beginTls(raw, { host: place.host, ...tls }, take);
      else take(raw);
    });
  }

  function watch(socket: Socket, place: DatabaseHost | string): void {
    const watched = watchSocket(socket, {
      bound: answerMs === null ? null : { answerMs, onLate },
      hostCheck:
        typeof place !== 'string' && hosts.needsPrimary
          ? { found: () => hosts.found(place), passOver: () => hosts.passOver(place) }
          : null,
    });
    open.add(socket);
    neighbours.add(watched);
    socket.once('close', () => {
      open.delete(socket);
      neighbours.delete(watched);
    });

    /** The others are lost in the same way: those that wait for nothing need not be found out one by one. */
    function onLate(): void {
      for (const other of neighbours) if (other !== watched) other.closeIfIdle();
    }
  }
}

/**
 * Lengthens the startup message by a connection parameter that postgres.js relies on anyway. From 1,024 bytes on
 * postgres.js sends a message immediately, also when it believes that a write is waiting already.
 */
export const startupPadding = { DateStyle: `ISO, MDY${' '.repeat(1024)}` };
