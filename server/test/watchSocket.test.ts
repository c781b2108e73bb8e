import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { watchSocket } from '../src/database/connection/watchSocket.js';
import { protocolMessage as message } from './protocolMessage.js';

const ready = message('Z', 'I');
const statement = message('Q', 'select 1\0');
const fatal = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');
const parameter = (name: string, value: string) => message('S', `${name}\0${value}\0`);

/** A socket that sends nothing, and what its user hears of it. */
function watched(hostCheck: Parameters<typeof watchSocket>[1]['hostCheck'] = null) {
  const socket = new Socket();
  socket.write = () => true;
  watchSocket(socket, { bound: null, hostCheck });
  const heard: unknown[] = [];
  socket.on('error', (error) => heard.push(['error', (error as NodeJS.ErrnoException).code, error.message]));
  socket.on('close', (isBad) => heard.push(['close', isBad]));
  const received: Buffer[] = [];
  socket.on('data', (data) => received.push(data));
  socket.write(Buffer.from('\0\0\0\x08\0\x03\0\0'));
  return { socket, heard, received: () => Buffer.concat(received).toString('latin1') };
}

/** A connection that is up and idle. */
function connected() {
  const connection = watched();
  connection.socket.emit('data', ready);
  return connection;
}

const closed = ['error', 'CONNECTION_CLOSED', 'The database closed the connection'];

describe('the loss of a connection', () => {
  it('that is idle is a close, immediately and without an error', () => {
    const { socket, heard } = connected();
    socket.emit('close', false);
    expect(heard).toEqual([['close', false]]);
  });

  it('that is idle is no error either when a fatal error or a setting came before it', () => {
    const { socket, heard, received } = connected();
    socket.emit('data', parameter('TimeZone', 'UTC'));
    socket.emit('data', fatal);
    socket.emit('close', false);
    expect(heard).toEqual([['close', false]]);
    expect(received()).not.toContain('FATAL');
  });

  it('that waits for an answer fails what waits, takes writes, and fails those when it closes', async () => {
    const { socket, heard } = connected();
    socket.write(statement);
    socket.emit('data', message('D', 'half a result'));
    const isClosed = new Promise((resolve) => socket.once('close', resolve));
    socket.emit('close', false);
    expect(heard).toEqual([closed]);
    expect(socket.write('rollback')).toBe(true);
    await isClosed;
    expect(heard).toEqual([closed, closed, ['close', false]]);
  });

  it('that is in a transaction, or still has an answer to come, is an error', () => {
    const inTransaction = connected();
    inTransaction.socket.write(statement);
    inTransaction.socket.emit('data', message('Z', 'T'));
    inTransaction.socket.emit('close', false);
    expect(inTransaction.heard).toEqual([closed]);

    const pipelined = connected();
    pipelined.socket.write(Buffer.concat([statement, statement]));
    pipelined.socket.emit('data', ready);
    pipelined.socket.emit('close', false);
    expect(pipelined.heard).toEqual([closed]);
  });

  it('has the reason that the database gave, which does not arrive as an answer', () => {
    const { socket, heard, received } = connected();
    socket.write(statement);
    const row = message('D', 'row');
    socket.emit('data', Buffer.concat([row, fatal.subarray(0, 7)]));
    socket.emit('data', fatal.subarray(7));
    expect(received()).toBe(Buffer.concat([ready, row]).toString('latin1'));
    socket.emit('close', false);
    expect(heard).toEqual([['error', '57P01', 'terminating connection']]);
  });

  it('before it was up is an error, after a fatal error that arrives', async () => {
    const { socket, heard, received } = watched();
    socket.emit('data', fatal);
    expect(received()).toBe(fatal.toString('latin1'));
    const isClosed = new Promise((resolve) => socket.once('close', resolve));
    socket.emit('close', false);
    await isClosed;
    expect(heard).toEqual([closed, closed, ['close', true]]);
  });
});

it('what looks like a fatal error inside a result arrives whole', () => {
  const { socket, received } = connected();
  const row = message('D', fatal.toString('latin1'));
  for (const data of [row, ready, fatal, ready]) socket.emit('data', data);
  expect(received()).toBe(Buffer.concat([ready, row, ready, fatal, ready]).toString('latin1'));
});

it('a connection that has answered that it is read-only closes when nothing waits on it', () => {
  const { socket } = connected();
  const refused = message(
    'E',
    'SERROR\0VERROR\0C25006\0Mcannot execute INSERT in a read-only transaction\0\0',
  );
  socket.write(Buffer.concat([statement, statement]));
  socket.emit('data', Buffer.concat([refused, ready]));
  expect(socket.destroyed).toBe(false);
  socket.emit('data', ready);
  expect(socket.destroyed).toBe(true);
});

describe('a host that has to take writes', () => {
  /** All that a server says at the startup, cut at one place. */
  function start(said: Buffer[], cut: number, isWorthANextTry = true) {
    const verdicts: string[] = [];
    const connection = watched({
      found: () => void verdicts.push('found'),
      passOver() {
        verdicts.push('passed over');
        return isWorthANextTry;
      },
    });
    const all = Buffer.concat(said);
    connection.socket.emit('data', all.subarray(0, cut));
    if (!connection.socket.destroyed) connection.socket.emit('data', all.subarray(cut));
    return { ...connection, verdicts };
  }

  const standby = [
    parameter('in_hot_standby', 'on'),
    parameter('default_transaction_read_only', 'off'),
    ready,
  ];
  const readOnly = [
    parameter('in_hot_standby', 'off'),
    parameter('default_transaction_read_only', 'on'),
    ready,
  ];
  const starting = [message('E', 'SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0')];
  const primary = [
    parameter('in_hot_standby', 'off'),
    parameter('default_transaction_read_only', 'off'),
    ready,
  ];

  it.each([
    ['a standby', standby, 'passed over'],
    ['read-only', readOnly, 'passed over'],
    ['starting', starting, 'passed over'],
    ['a primary', primary, 'found'],
  ] as const)('that is %s is understood wherever its words are cut', (_, said, verdict) => {
    for (let cut = 0; cut <= Buffer.concat([...said]).length; cut++) {
      const { socket, verdicts } = start([...said], cut);
      expect(verdicts).toEqual([verdict]);
      expect(socket.destroyed).toBe(verdict === 'passed over');
    }
  });

  it('closes without an error while another host is to be tried, and with the reason otherwise', async () => {
    const quiet = start(standby, 0);
    await new Promise((resolve) => quiet.socket.once('close', resolve));
    expect(quiet.heard).toEqual([['close', false]]);

    for (const [said, reason] of [
      [standby, 'The database is read-only'],
      [starting, 'The database is not ready'],
    ] as const) {
      const last = start(said, 0, false);
      await new Promise((resolve) => last.socket.once('close', resolve));
      expect(last.heard[0]).toEqual(['error', 'CONNECTION_REFUSED', reason]);
      expect(last.heard.at(-1)).toEqual(['close', true]);
    }
  });
});
