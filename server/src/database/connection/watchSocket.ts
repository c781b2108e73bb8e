import type { Socket } from 'node:net';
import { createAnswerReader, createStatementCounter, cutToStartup, type ServerError } from './protocol.js';

/** Time that a lost connection still takes writes, so that a transaction on it can come to its end. */
const farewellMs = 10;
/** Length of a CancelRequest, the only message of its connection; the server closes it without an answer. */
const cancelRequestBytes = 16;

/** PostgreSQL 14 and newer report both settings to each connection. */
const readOnlyParameters = ['in_hot_standby', 'default_transaction_read_only'];
/** Message of the error of a connection to such a server. */
export const readOnlyRefusal = 'The database is read-only';
/** SQLSTATE cannot_connect_now: starting, stopping, or a standby that takes no connections. */
const notReady = '57P03';
/** SQLSTATE read_only_sql_transaction: the answer of a standby to a write. */
const readOnly = '25006';

/** Bound on the time that a connection waits for an answer. */
export interface AnswerBound {
  answerMs: number;
  /** Called before the connection closes because an answer is late. */
  onLate(): void;
}

/** Verdicts on a server that has to take writes. */
export interface HostCheck {
  /** The startup has ended and the server takes writes. */
  found(): void;
  /** The server takes no writes. Returns true when another host is to be tried for the same query. */
  passOver(): boolean;
}

/** A socket to PostgreSQL under watch. */
export interface WatchedSocket {
  /** Closes the connection if it waits for no answer. */
  closeIfIdle(): void;
}

/**
 * Watches a socket between PostgreSQL and postgres.js 3.4.9, in its `emit` and its `write`. It has to be called before
 * anything is sent.
 * - A loss is orderly: all that waits fails immediately, for PostgreSQL's own reason if it gave one, and the event
 *   `close` follows a moment later, failing what was written meanwhile. An idle connection just closes. postgres.js
 *   gives a fatal error to the next query, so that error is held back and told as the reason.
 * - An answer has a bound in time, because packets can vanish without a reset and TCP itself notices after minutes. A
 *   late connection fails with `ETIMEDOUT`. PostgreSQL's own bounds do not help there: its answer does not arrive.
 * - A connection whose server has become read-only closes after that answer: a new one may find the primary.
 * - Of several hosts one that takes no writes is closed before the first statement.
 * - The first write is cut down to the startup message: postgres.js can put the rest of a lost connection before it.
 * @param options.bound null for none
 * @param options.hostCheck null where every server will do
 */
export function watchSocket(
  socket: Socket,
  { bound, hostCheck }: { bound: AnswerBound | null; hostCheck: HostCheck | null },
): WatchedSocket {
  const emit = socket.emit.bind(socket) as (event: string, ...args: unknown[]) => boolean;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  const countStatements = createStatementCounter();
  const readAnswers = createAnswerReader({ onReady, onError, onParameter });

  let hasStarted = false;
  let isUp = false;
  /** Statements without an answer; the startup message counts as one. */
  let asked = 0;
  let isInTransaction = false;
  let isReadOnly = false;
  let refusal: string | undefined;
  let isTurnedAway = false;
  let fatalError: Error | undefined;
  let reason: Error | undefined;

  // Each statement and each answer starts this one timer again, which allocates nothing.
  const timer = bound && setTimeout(() => closeLate(bound), bound.answerMs).unref();

  socket.write = (data: Buffer, ...rest: unknown[]) => {
    timer?.refresh();
    if (hasStarted) {
      asked += countStatements(data);
      return write(data, ...rest);
    }
    hasStarted = true;
    asked = 1;
    return write(cutToStartup(data), ...rest);
  };
  socket.emit = (event: string, ...args: unknown[]) => {
    if (event === 'data') return receive(args[0] as Buffer);
    if (event === 'close') return close(args);
    if (isTurnedAway) return true;
    if (event === 'error') reason = args[0] as Error;
    return emit(event, ...args);
  };

  function receive(data: Buffer): boolean {
    fatalError = undefined;
    const complete = readAnswers(data);
    if (refusal) return turnAway(refusal);
    // Asked before postgres.js, which may write the next statement while it hears this answer.
    const isOver = isReadOnly && isIdle();
    const isHeard = complete.length === 0 || emit('data', complete);
    if (isOver) socket.destroy();
    return isHeard;
  }

  function onReady(isInside: boolean): void {
    isInTransaction = isInside;
    asked--;
    timer?.refresh();
    if (isUp || refusal) return;
    isUp = true;
    hostCheck?.found();
  }

  function onError({ message, code, isFatal }: ServerError): boolean {
    if (!isUp) {
      if (hostCheck && code === notReady) refusal ??= 'The database is not ready';
      // postgres.js handles a fatal error of the startup well.
      return false;
    }
    if (code === readOnly) isReadOnly = true;
    if (isFatal) fatalError = withCode(message, code);
    return isFatal;
  }

  function onParameter(name: string, value: string): void {
    if (isUp || !hostCheck || value !== 'on') return;
    if (readOnlyParameters.includes(name)) refusal ??= readOnlyRefusal;
  }

  /** True while no statement waits and no transaction is open: then nobody misses the connection. */
  function isIdle(): boolean {
    return isUp && asked === 0 && !isInTransaction;
  }

  function turnAway(message: string): boolean {
    isTurnedAway = hostCheck?.passOver() ?? false;
    socket.destroy(isTurnedAway ? undefined : withCode(message, 'CONNECTION_REFUSED'));
    return true;
  }

  function closeLate({ answerMs, onLate }: AnswerBound): void {
    if (asked === 0 || socket.destroyed) return;
    onLate();
    socket.destroy(withCode(`The database has not answered for ${answerMs} ms`, 'ETIMEDOUT'));
  }

  function close(args: unknown[]): boolean {
    if (timer) clearTimeout(timer);
    if (socket.bytesWritten === cancelRequestBytes) return emit('close', ...args);
    // Without an error postgres.js opens another connection for the same query, and an idle one has none.
    if (isTurnedAway || isIdle()) return emit('close', false);
    const error = fatalError ?? reason ?? withCode('The database closed the connection', 'CONNECTION_CLOSED');
    emit('error', error);
    socket.write = () => true;
    setTimeout(() => {
      emit('error', error);
      // True makes postgres.js wait longer from one attempt to the next.
      emit('close', !isUp);
    }, farewellMs);
    return true;
  }

  return {
    closeIfIdle() {
      if (asked === 0) socket.destroy();
    },
  };
}

function withCode(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
