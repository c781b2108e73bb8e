import type { Socket } from 'node:net';
import { createAnswerWatch, createAskWatch } from './messages.js';

/** A connection whose answers have a bound in time. */
export interface BoundConnection {
  /** Closes the connection if it waits for no answer. */
  closeIfIdle(): void;
}

/** What a standby, or a primary that has become one, answers to a write. */
const readOnlyState = 'C25006\0';
/** An error is short; a long result is not searched for one. */
const errorBytesAtMost = 2048;

/**
 * Closes a connection to PostgreSQL that waits longer than `answerMs` for the end of an answer: packets can vanish
 * without a reset, and TCP itself notices after minutes. What the connection carries fails with `ETIMEDOUT`.
 * PostgreSQL's own time bounds do not help there, for its word of them does not arrive. One timer a
 * connection is started again by each statement and each answer, which allocates nothing.
 *
 * Closes a connection, too, once it has answered that its PostgreSQL is read-only: after a failover a new one may
 * find the primary, and the old one would be refused for as long as it lives.
 * @param onLate told before the connection closes for being late
 */
export function boundAnswers(socket: Socket, answerMs: number, onLate: () => void): BoundConnection {
  /** Statements without an answer; the first is the startup message, which ends as they do. */
  let asked = 0;
  let isStarted = false;
  let isReadOnly = false;
  const watchAsked = createAskWatch();
  const watchAnswers = createAnswerWatch();
  const timer = setTimeout(() => {
    if (asked === 0 || socket.destroyed) return;
    onLate();
    const late = new Error(`The database has not answered for ${answerMs} ms`);
    socket.destroy(Object.assign(late, { code: 'ETIMEDOUT' }));
  }, answerMs).unref();

  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = (...args: unknown[]) => {
    asked += isStarted ? watchAsked(args[0] as Buffer) : 1;
    isStarted = true;
    timer.refresh();
    return write(...args);
  };
  const emit = socket.emit.bind(socket) as (event: string, ...args: unknown[]) => boolean;
  socket.emit = (event: string, ...args: unknown[]) => {
    if (event === 'close') clearTimeout(timer);
    if (event !== 'data') return emit(event, ...args);
    const data = args[0] as Buffer;
    const { readies, isIdle } = watchAnswers(data);
    if (readies > 0) {
      asked -= readies;
      timer.refresh();
    }
    if (data.length <= errorBytesAtMost && data.includes(readOnlyState)) isReadOnly = true;
    // postgres.js hears the answer first, and may write the next statement at once.
    const isHeard = emit(event, data);
    if (isReadOnly && isIdle) socket.destroy();
    return isHeard;
  };
  return {
    closeIfIdle() {
      if (asked === 0) socket.destroy();
    },
  };
}
