import { connect, type Socket } from 'node:net';
import type { DatabaseHost } from '../../values/databaseUrl.js';
import { beginTls, type TlsMode } from './beginTls.js';
import { type BoundConnection, boundAnswers } from './boundAnswers.js';
import type { HostChoice } from './chooseHost.js';
import { closeOrderly } from './closeOrderly.js';
import { watchStartup } from './watchStartup.js';

/** What postgres.js tells its `socket` option; the host is chosen here. */
interface Target {
  path?: string | false;
}

/** Protocol 3.0, the second word of a startup message (PostgreSQL manual, "Message Formats"). */
const protocolVersion = 196_608;

/**
 * Makes postgres.js's `socket` option: a function that opens connections and always resolves. It keeps
 * postgres.js 3.4.9 from its own faults when a connection is lost; each was seen to happen here:
 * - what accepts connections and closes them unanswered, as a proxy does whose database is away, is tried
 *   again at once and without end, and no query fails (its issue 1193);
 * - the end of a transaction that lost its connection is written to a socket that is null, which ends the
 *   process (issue 1133); the reason of the loss fails a later query, on another connection;
 * - a write that waits while the connection closes keeps the next one from ever sending its startup message.
 * The first two are cured by `closeOrderly`, the last by `startupPadding` and `cleanFirstWrite`.
 * TLS is begun here and not by postgres.js, so that all this holds with it too.
 * @param timeoutMs how long a connection may take to be accepted, TLS included
 * @param options.answerMs how long it may wait for an answer, see `boundAnswers`; null for ever
 * @param options.tls null for none
 * @param options.hosts which one to connect to, unless postgres.js has the path of a socket
 */
export function createOpenSocket(
  timeoutMs: number,
  { answerMs, tls, hosts }: { answerMs: number | null; tls: TlsMode | null; hosts: HostChoice },
) {
  const open = new Set<BoundConnection>();

  /** Tries one host after the other; the last one's socket is given out dead. */
  return async function openSocket({ path }: Target): Promise<Socket> {
    for (;;) {
      const place = path || hosts.next();
      const socket = await openOne(place);
      if (typeof place === 'string' || !socket.destroyed || !hosts.passOver(place)) return socket;
      // Its errors are told once more as it closes, and nobody takes this one.
      socket.on('error', () => {});
    }
  };

  function openOne(place: DatabaseHost | string): Promise<Socket> {
    return new Promise((resolve) => {
      const raw = typeof place === 'string' ? connect(place) : connect(place.port, place.host);
      let socket = raw;
      const timer = setTimeout(() => {
        socket.destroy(Object.assign(new Error('The database does not answer'), { code: 'CONNECT_TIMEOUT' }));
      }, timeoutMs);
      const take = (next: Socket) => {
        socket = next;
        prepare(socket, place);
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
      if (tls && typeof place !== 'string') beginTls(raw, { host: place.host, mode: tls }, take);
      else take(raw);
    });
  }

  function prepare(socket: Socket, place: DatabaseHost | string): void {
    const plainEmit = socket.emit;
    closeOrderly(socket);
    if (answerMs !== null) bound(socket, answerMs);
    if (typeof place !== 'string' && hosts.needsPrimary) {
      watchStartup(socket, plainEmit, {
        onWritable: () => hosts.found(place),
        onOther: () => hosts.passOver(place),
      });
    }
    cleanFirstWrite(socket);
  }

  function bound(socket: Socket, answerMs: number): void {
    const connection = boundAnswers(socket, answerMs, () => {
      // The others go the same way: those that nobody waits on need not be found out one by one.
      for (const other of open) if (other !== connection) other.closeIfIdle();
    });
    open.add(connection);
    socket.once('close', () => open.delete(connection));
  }
}

/**
 * Lengthens the startup message by a connection parameter that says what postgres.js relies on anyway. From
 * 1,024 bytes on it sends a message at once, also where it believes that a write is waiting already.
 */
export const startupPadding = { DateStyle: `ISO, MDY${' '.repeat(1024)}` };

/** Takes away what the connection before has left in front of the startup message. */
function cleanFirstWrite(socket: Socket): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let isFirst = true;
  socket.write = (data: Buffer, ...rest: unknown[]) => {
    const clean = isFirst ? startupIn(data) : data;
    isFirst = false;
    return write(clean, ...rest);
  };
}

function startupIn(data: Buffer): Buffer {
  for (let at = 0; at + 8 <= data.length; at++) {
    if (data.readUInt32BE(at) === data.length - at && data.readUInt32BE(at + 4) === protocolVersion) {
      return data.subarray(at);
    }
  }
  return data;
}
