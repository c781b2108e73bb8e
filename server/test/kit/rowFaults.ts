/** Rows of an answer, as they are on the wire. */
export type Rows = readonly Buffer[];

/**
 * A fault of a program between the server and PostgreSQL, which changes the rows of an answer.
 * @param former rows of the last answer to the same statement, on any connection; for the first one, its own rows
 */
export type RowFault = (rows: Rows, former: Rows) => Rows;

/** One connection, as a proxy sees it. */
export interface Tap {
  /** Reads data that the server sends. */
  asked(data: Buffer): void;
  /** Returns the data to pass on instead of the database's answer. */
  answered(data: Buffer): Buffer;
}

/**
 * Creates faults in the rows that PostgreSQL answers with, by the name of the statement, which is the comment at its beginning.
 * The protocol: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function createRowFaults() {
  const faults = new Map<string, RowFault>();
  /** Names of all statements that were sent. */
  const names = new Set<string>();
  const formerRows = new Map<string, Rows>();

  function openTap(): Tap {
    const nameOfPrepared = new Map<string, string>();
    const messagesOfServer = createMessages();
    const messagesOfDatabase = createMessages();
    /** Statements without an answer. The first answer of a connection is to its greeting, which has another form. */
    const unanswered = [''];
    let isGreeted = false;
    let bound = '';
    let rows: Buffer[] = [];

    function ask(name: string): void {
      unanswered.push(name);
      if (name !== '') names.add(name);
      bound = '';
    }

    return {
      asked(data) {
        for (const message of isGreeted ? messagesOfServer(data) : []) {
          const [first, second] = message.toString('latin1', 5).split('\0');
          const type = typeOf(message);
          if (type === 'P') nameOfPrepared.set(first!, nameIn(second!));
          if (type === 'B') bound = nameOfPrepared.get(second!)!;
          if (type === 'S') ask(bound);
          if (type === 'Q') ask(nameIn(first!));
        }
        isGreeted = true;
      },
      answered(data) {
        const passed: Buffer[] = [];
        for (const message of messagesOfDatabase(data)) {
          const type = typeOf(message);
          if (type === 'D') rows.push(message);
          else passed.push(message);
          if (type === 'Z') unanswered.shift();
          if (type !== 'C' && type !== 's') continue;
          const name = unanswered[0]!;
          const former = formerRows.get(name) ?? rows;
          passed.splice(-1, 0, ...(faults.get(name)?.(rows, former) ?? rows));
          formerRows.set(name, rows);
          rows = [];
        }
        return Buffer.concat(passed);
      },
    };
  }

  return { faults, names, openTap };
}

const typeOf = (message: Buffer) => String.fromCharCode(message[0]!);

const nameIn = (statement: string) => /^\/\* (.+?) \*\//.exec(statement)?.[1] ?? '';

/** Divides a stream into messages: a letter, the length of the rest, and the rest. */
function createMessages(): (data: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  return (data) => {
    const messages: Buffer[] = [];
    rest = Buffer.concat([rest, data]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1);
      messages.push(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
    return messages;
  };
}
