import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { newKey } from '../src/core/teams/keys.js';
import { encodeId, newUuid } from '../src/values/ids.js';

/** Settings of a flood: order reports at a fixed rate, however slowly the answers come. */
export interface Flood {
  url: string;
  /** The team of all reports. If null, each names an unknown team, and every other one has an unknown key. */
  teamId: string | null;
  /** `X-Forwarded-For` of all reports. If null, it differs for each. */
  address: string | null;
  /** Number of hosts that reports name in turn, none of which is allowed. Default: the one allowed host. */
  hosts?: number;
  perSecond: number;
  seconds: number;
  connections: number;
  /** Most requests without an answer on one connection. The sender skips requests beyond it. */
  waitingAtMost: number;
  /** Path of the file for the ids of the acknowledged orders, one per line. */
  acknowledgedFile: string;
}

/** The result of a flood. */
export interface Flooded {
  /** Times of the first and of the last request, in ms since 1970. */
  startedMs: number;
  endedMs: number;
  sent: number;
  /** Requests that were skipped because every connection was full. */
  heldBack: number;
  /** Answers by status. */
  answers: Record<string, number>;
  /** Answers with 429 or 503 that have no `Retry-After`. */
  withoutRetryAfter: number;
  /** Number of connections that the server cut. Each was opened again. */
  cut: number;
}

const flood = JSON.parse(process.argv[2]!) as Flood;
const { hostname, port } = new URL(flood.url);
/** Made-up senders. They are made before the flood, because making a key takes longer than refusing it. */
const strangers = Array.from({ length: flood.teamId === null ? 20_000 : 0 }, () => ({
  teamId: encodeId('team', newUuid()),
  authorization: `Authorization: Bearer ${newKey('live')}`,
}));
const result: Flooded = {
  startedMs: 0,
  endedMs: 0,
  sent: 0,
  heldBack: 0,
  answers: {},
  withoutRetryAfter: 0,
  cut: 0,
};
const acknowledged: string[] = [];
let isOver = false;

interface Line {
  socket: Socket;
  waiting: number;
}

function requestBytes(n: number): string {
  const order = {
    teamId: flood.teamId ?? strangers[n % strangers.length]!.teamId,
    email: `flood-${n % 1000}@mail.example`,
    amount: 49.9,
    orderId: `flood-${n}`,
  };
  const body = JSON.stringify({ ...order, currency: 'USD', visitorId: 'v-0123456789abcdef' });
  const address = flood.address ?? [10, n >> 16, n >> 8, n].map((part) => part & 255).join('.');
  const trust =
    flood.teamId === null && n % 2 === 1
      ? strangers[n % strangers.length]!.authorization
      : `Origin: https://${flood.hosts ? `host-${n % flood.hosts}.example` : 'shop.example'}`;
  return `POST /svc-api/v1/orders HTTP/1.1\r\nHost: ${hostname}\r\n${trust}\r\nContent-Type: text/plain\r\nX-Forwarded-For: ${address}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function open(line: Line): void {
  line.waiting = 0;
  line.socket = connect(Number(port), hostname);
  let rest = '';
  line.socket.setEncoding('latin1').on('data', (text: string) => {
    rest = readAnswers(rest + text, line);
  });
  line.socket.on('error', () => {});
  line.socket.on('close', () => {
    if (isOver) return;
    result.cut++;
    open(line);
  });
}

/** Counts the complete answers in the text. Returns the rest, an incomplete answer. */
function readAnswers(text: string, line: Line): string {
  for (let at = 0; ; ) {
    const end = text.indexOf('\r\n\r\n', at);
    if (end < 0) return text.slice(at);
    const head = text.slice(at, end).toLowerCase();
    const next = end + 4 + Number(/content-length: (\d+)/.exec(head)![1]);
    if (next > text.length) return text.slice(at);
    const status = head.slice(9, 12);
    result.answers[status] = (result.answers[status] ?? 0) + 1;
    if (status === '200') acknowledged.push(JSON.parse(text.slice(end + 4, next)).data.id);
    else if ((status === '429' || status === '503') && !head.includes('retry-after: '))
      result.withoutRetryAfter++;
    line.waiting--;
    at = next;
  }
}

const lines = Array.from({ length: flood.connections }, () => {
  const line = {} as Line;
  open(line);
  return line;
});

const tickMs = 10;
const startedMs = performance.now();
result.startedMs = performance.timeOrigin + startedMs;
let due = 0;
let next = 0;
const timer = setInterval(() => {
  const elapsedMs = performance.now() - startedMs;
  if (elapsedMs >= flood.seconds * 1000) {
    clearInterval(timer);
    isOver = true;
    result.endedMs = performance.timeOrigin + performance.now();
    for (const { socket } of lines) socket.destroy();
    writeFileSync(flood.acknowledgedFile, acknowledged.join('\n'));
    process.stdout.write(JSON.stringify(result));
    return;
  }
  const dueNow = Math.floor((elapsedMs / 1000) * flood.perSecond);
  const share = Math.ceil((dueNow - due) / lines.length);
  while (due < dueNow) {
    const line = lines[next++ % lines.length]!;
    const count = Math.min(share, dueNow - due, flood.waitingAtMost - line.waiting);
    due += Math.min(share, dueNow - due);
    result.heldBack += Math.max(0, Math.min(share, dueNow - due) - count);
    if (count <= 0) continue;
    line.socket.write(Array.from({ length: count }, () => requestBytes(result.sent++)).join(''));
    line.waiting += count;
  }
}, tickMs);
