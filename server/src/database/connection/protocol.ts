/*
 * PostgreSQL's protocol, version 3 (PostgreSQL manual, "Message Formats"). A message is a letter, a length that counts
 * itself but not the letter, and a body. Only the first message of a client, the startup message, has no letter.
 */
const headBytes = 5;
const endOfMessage = (data: Buffer, at: number) => at + 1 + data.readUInt32BE(at + 1);

const code = (letter: string) => letter.charCodeAt(0);
const [parameterStatus, errorResponse, readyForQuery] = [code('S'), code('E'), code('Z')];
const [flush, sync, simpleQuery] = [code('H'), code('S'), code('Q')];
const outsideTransaction = code('I');
/** Protocol 3.0, the second word of a startup message. */
const protocolVersion = 196_608;

/** An ErrorResponse. */
export interface ServerError {
  message: string;
  /** SQLSTATE. */
  code: string;
  /** True for FATAL and PANIC: the server closes the connection. */
  isFatal: boolean;
}

/** Handlers for the messages of a server that tell the state of its connection. */
export interface AnswerHandlers {
  /** Called with each ReadyForQuery, which ends the startup or the answer to a statement. */
  onReady(isInTransaction: boolean): void;
  /** Returns true to hold the message back while no other message follows it. */
  onError(error: ServerError): boolean;
  /** Called with each setting that the server reports. */
  onParameter(name: string, value: string): void;
}

/**
 * Creates a function that reads what a server sends, piece by piece; messages may be cut anywhere. It returns the
 * bytes to pass on: an incomplete message to one of the handlers waits for its end, and `onError` may hold an error
 * back. Both are returned in front of the next piece. Bodies of other messages are neither copied nor scanned.
 */
export function createAnswerReader({ onReady, onError, onParameter }: AnswerHandlers) {
  let held: Buffer | undefined;
  /** Bytes of the last message that are still to come. */
  let skip = 0;

  return function readAnswers(data: Buffer): Buffer {
    const all = held ? Buffer.concat([held, data]) : data;
    let at = skip;
    while (at + headBytes <= all.length) {
      const end = endOfMessage(all, at);
      const letter = all[at];
      if (letter === readyForQuery || letter === errorResponse || letter === parameterStatus) {
        if (end > all.length) break;
        if (letter === readyForQuery) onReady(all[at + headBytes] !== outsideTransaction);
        else if (letter === parameterStatus) onParameter(...readParameter(all, at, end));
        else if (onError(readError(all, at, end)) && end === all.length) break;
      }
      at = end;
    }
    const isWhole = at >= all.length;
    skip = isWhole ? at - all.length : 0;
    held = isWhole ? undefined : all.subarray(at);
    return isWhole ? all : all.subarray(0, at);
  };
}

function readParameter(data: Buffer, at: number, end: number): [name: string, value: string] {
  const [name = '', value = ''] = data.toString('utf8', at + headBytes, end).split('\0');
  return [name, value];
}

function readError(data: Buffer, at: number, end: number): ServerError {
  // Each field is a letter and a text that NUL ends. "V" is the severity that is not translated.
  const fields = data.toString('utf8', at + headBytes, end).split('\0');
  const field = (letter: string) => fields.find((text) => text.startsWith(letter))?.slice(1) ?? '';
  const severity = field('V');
  return { message: field('M'), code: field('C'), isFatal: severity === 'FATAL' || severity === 'PANIC' };
}

/**
 * Creates a function that takes each piece that postgres.js sends after the startup message, in order, and returns how
 * many statements it asks to be answered; postgres.js sends whole messages. It sends a statement that is new to its
 * connection in two pieces: the first asks with a Flush for its parameters, the second, after that answer, ends with the
 * Sync. Both are one statement, which waits from the first piece on.
 */
export function createStatementCounter(): (data: Buffer) => number {
  let isFlushed = false;
  return function countStatements(data) {
    let asked = 0;
    for (let at = 0; at + headBytes <= data.length; at = endOfMessage(data, at)) {
      const isEnd = data[at] === sync || data[at] === simpleQuery;
      const isStart = isEnd || data[at] === flush;
      if (isStart && !isFlushed) asked++;
      if (isStart) isFlushed = !isEnd;
    }
    return asked;
  };
}

/** Returns the startup message that the data ends with, without what stands before it; the data itself if there is none. */
export function cutToStartup(data: Buffer): Buffer {
  for (let at = 0; at + 8 <= data.length; at++) {
    if (data.readUInt32BE(at) === data.length - at && data.readUInt32BE(at + 4) === protocolVersion) {
      return data.subarray(at);
    }
  }
  return data;
}
