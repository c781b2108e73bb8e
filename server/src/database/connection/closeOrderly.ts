import type { Socket } from 'node:net';
import { createAnswerWatch } from './messages.js';

/** How long a lost connection still takes writes, so that a transaction on it can come to its end. */
const farewellMs = 10;
/** All that a connection carries whose purpose is to cancel a query; it is closed without an answer. */
const cancelRequestBytes = 16;

/**
 * Makes the loss of a connection to PostgreSQL orderly: all that waits fails at once, for PostgreSQL's own
 * reason where it gave one, and the event `close` follows a moment later, failing what was written meanwhile.
 */
export function closeOrderly(socket: Socket): void {
  const emit = socket.emit.bind(socket) as (event: string, ...args: unknown[]) => boolean;
  let reason: Error | undefined;
  let isUp = false;
  let isIdle = false;
  let lastWord: Buffer | undefined;
  const watchAnswers = createAnswerWatch();

  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = (...args: unknown[]) => {
    isIdle = false;
    return write(...args);
  };
  socket.emit = (event: string, ...args: unknown[]) => {
    if (event === 'data') return take(args[0] as Buffer);
    if (event === 'error') reason = args[0] as Error;
    if (event !== 'close' || socket.bytesWritten === cancelRequestBytes) return emit(event, ...args);

    // Nobody waits on an idle connection, and the next query can have a new one at once.
    if (isIdle) return emit('close', false);
    const told = lastWord && fatalError(lastWord);
    const error = told ?? reason ?? withCode('The database closed the connection', 'CONNECTION_CLOSED');
    emit('error', error);
    socket.write = () => true;
    setTimeout(() => {
      emit('error', error);
      // True makes postgres.js wait longer from one try to the next.
      emit('close', !isUp);
    }, farewellMs);
    return true;
  };

  /** Holds a fatal error back: postgres.js would give it to the next query. Before it is up it does right. */
  function take(data: Buffer): boolean {
    isIdle = watchAnswers(data).isIdle;
    if (!isUp) {
      isUp = isIdle;
      return emit('data', data);
    }
    const all = lastWord ? Buffer.concat([lastWord, data]) : data;
    const at = fatalErrorAt(all);
    lastWord = at === -1 ? undefined : all.subarray(at);
    return at === 0 || emit('data', at === -1 ? all : all.subarray(0, at));
  }
}

/** Where the error begins that ends the data, if it is fatal; else -1. */
function fatalErrorAt(data: Buffer): number {
  // "V" is the field of the severity that is not translated.
  if (!data.includes('VFATAL\0') && !data.includes('VPANIC\0')) return -1;
  // ErrorResponse is "E", its length, and fields of a letter and a text that NUL ends (manual, "Message Formats").
  for (let at = data.indexOf('E'); at !== -1 && at + 5 <= data.length; at = data.indexOf('E', at + 1)) {
    if (data.readUInt32BE(at + 1) === data.length - at - 1) return at;
  }
  return -1;
}

function fatalError(message: Buffer): Error {
  const texts = message.toString('utf8', 5).split('\0');
  const field = (letter: string) => texts.find((text) => text.startsWith(letter))?.slice(1) ?? '';
  return withCode(field('M'), field('C'));
}

function withCode(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
