/*
 * A message of PostgreSQL's protocol is a letter, its length with the length itself, and its body (manual, "Message
 * Formats"). Only the first one of a client, the startup message, has no letter.
 */
const headBytes = 5;
const lengthOf = (head: Buffer, at: number) => head.readUInt32BE(at + 1) + 1;

const letter = (text: string) => text.charCodeAt(0);
const [flush, sync, simpleQuery] = [letter('H'), letter('S'), letter('Q')];
const [readyForQuery, outside] = [letter('Z'), letter('I')];

/**
 * Makes what is told each piece that a client sends, in order, and returns how many statements it asks to be answered;
 * postgres.js sends whole messages. It sends a statement that is new to its connection in two pieces: the first asks
 * with a Flush what its parameters are, the second, after that answer, ends with the Sync. Both are one statement, that
 * waits from the first on.
 */
export function createAskWatch(): (data: Buffer) => number {
  let isFlushed = false;
  return function watchAsked(data) {
    let asked = 0;
    for (let at = 0; at + headBytes <= data.length; at += lengthOf(data, at)) {
      const isEnd = data[at] === sync || data[at] === simpleQuery;
      const isStart = isEnd || data[at] === flush;
      if (isStart && !isFlushed) asked++;
      if (isStart) isFlushed = !isEnd;
    }
    return asked;
  };
}

/** What a piece of what a server sends comes to. */
export interface StatementEnds {
  /** How many statements it ends. */
  readies: number;
  /** True when it ends with the last of them, outside of a transaction. */
  isIdle: boolean;
}

/** Makes what is told each piece that a server sends, in order; messages may be cut anywhere. */
export function createAnswerWatch(): (data: Buffer) => StatementEnds {
  let rest: Buffer | undefined;
  /** Bytes of the last message that are still to come. */
  let skip = 0;

  return function watchAnswers(data) {
    let readies = 0;
    let isIdle = false;
    let at = skip;
    const all = rest ? Buffer.concat([rest, data]) : data;
    while (at + headBytes <= all.length) {
      const end = at + lengthOf(all, at);
      const isReady = all[at] === readyForQuery;
      // Its body is one byte, so it is waited for.
      if (isReady && end > all.length) break;
      if (isReady) readies++;
      isIdle = isReady && end === all.length && all[end - 1] === outside;
      at = end;
    }
    rest = at < all.length ? all.subarray(at) : undefined;
    skip = Math.max(0, at - all.length);
    return { readies, isIdle };
  };
}
