/** ReadyForQuery is `Z`, its length, and `I` outside of a transaction (PostgreSQL manual, "Message Formats"). */
const readyBytes = 6;

/** Whether a connection waits for its next statement after what has arrived. */
export type Readiness = 'no' | 'in transaction' | 'outside';

/** Makes what is told each piece of data of a connection, in order, and says whether ReadyForQuery is the last of it. */
export function createReadyWatch(): (data: Buffer) => Readiness {
  let last: Buffer = Buffer.alloc(0);
  return function watchReady(data) {
    // The message may come in two pieces.
    last = data.length < readyBytes ? Buffer.concat([last, data]) : data;
    const at = last.length - readyBytes;
    if (at < 0 || last[at] !== 0x5a || last.readUInt32BE(at + 1) !== readyBytes - 1) return 'no';
    return last[at + 5] === 0x49 ? 'outside' : 'in transaction';
  };
}
