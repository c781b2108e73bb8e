import type { Socket } from 'node:net';

/** What a PostgreSQL says of itself before its first answer. */
export type StartupVerdict = 'writable' | 'read-only' | 'not ready';

/** ParameterStatus, ErrorResponse, ReadyForQuery (PostgreSQL manual, "Message Formats"). */
const [parameterStatus, errorResponse, readyForQuery] = ['S', 'E', 'Z'].map((text) => text.charCodeAt(0));
/** PostgreSQL 14 and newer report both to each connection. */
const readOnlyParameters = ['in_hot_standby\0on\0', 'default_transaction_read_only\0on\0'];
/** cannot_connect_now: starting, stopping, or a standby that takes no connections. */
const notReady = 'C57P03\0';

/** Makes what is told each piece that a server sends; returns the verdict once it is known. Messages may be cut anywhere. */
export function createStartupWatch(): (data: Buffer) => StartupVerdict | undefined {
  let rest: Buffer = Buffer.alloc(0);
  return function watch(data) {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= 5) {
      const end = rest.readUInt32BE(1) + 1;
      if (rest.length < end) return undefined;
      const [letter, body] = [rest[0], rest.toString('latin1', 5, end)];
      rest = rest.subarray(end);
      if (letter === parameterStatus && readOnlyParameters.includes(body)) return 'read-only';
      if (letter === errorResponse && body.includes(notReady)) return 'not ready';
      if (letter === readyForQuery) return 'writable';
    }
    return undefined;
  };
}

/** What to do with a connection whose PostgreSQL does not take writes. */
export interface TurnAway {
  onWritable(): void;
  /** True: closes without a word, and postgres.js opens another connection for the same query. */
  onOther(verdict: StartupVerdict): boolean;
}

/**
 * Closes a connection before its first statement when its PostgreSQL takes no writes. postgres.js 3.4.9 has such a
 * choice of hosts itself, but takes a standby for `read-write`, and tries without end while no host answers.
 * @param plainEmit the socket's own `emit`, for the close that postgres.js is not to take for a failure
 */
export function watchStartup(
  socket: Socket,
  plainEmit: Socket['emit'],
  { onWritable, onOther }: TurnAway,
): void {
  const emit = socket.emit.bind(socket) as (event: string, ...args: unknown[]) => boolean;
  const emitPlain = plainEmit.bind(socket) as typeof emit;
  const watch = createStartupWatch();
  let isKnown = false;
  let isQuiet = false;
  socket.emit = (event: string, ...args: unknown[]) => {
    if (isQuiet) return event === 'close' ? emitPlain(event, false) : true;
    const verdict = event === 'data' && !isKnown ? watch(args[0] as Buffer) : undefined;
    if (verdict === undefined) return emit(event, ...args);
    isKnown = true;
    if (verdict === 'writable') {
      onWritable();
      return emit(event, ...args);
    }
    isQuiet = onOther(verdict);
    const reason = verdict === 'read-only' ? 'The database is read-only' : 'The database is not ready';
    socket.destroy(isQuiet ? undefined : Object.assign(new Error(reason), { code: 'CONNECTION_REFUSED' }));
    return true;
  };
}
