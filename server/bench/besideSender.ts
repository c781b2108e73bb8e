import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import type { Doing } from './doing.js';

const { url, what, cookie, home, key, order, source } = JSON.parse(process.argv[2]!) as Doing;
const { hostname, port, host, origin } = new URL(url);
const agent = new Agent({ keepAlive: true });

/** Sends a request, and reads its answer to the end. */
const ask = (method: string, path: string, headers: Record<string, string>, pieces: Iterable<string> = []) =>
  new Promise<void>((resolve) => {
    const sent = request(new URL(path, url), { agent, method, headers }, (answer) => {
      answer.resume().on('close', resolve);
    });
    sent.on('error', () => setTimeout(resolve, 10));
    for (const piece of pieces) sent.write(piece);
    sent.end();
  });

/** Repeats an action without pauses, `times` times concurrently. */
const repeat = (times: number, act: () => Promise<void>) => {
  for (let n = 0; n < times; n++)
    void (async () => {
      for (;;) await act();
    })();
};

const form = (text: string) =>
  `--b\r\nContent-Disposition: form-data; name="file"; filename="orders.csv"\r\nContent-Type: text/csv\r\n\r\n${text}\r\n--b--\r\n`;

/** A signed event of nearly 1 MiB, with as many values as are read. */
const event = `{"type":"charge.refunded","livemode":true,"created":1,"data":{"object":{"id":"ch_1","object":"charge","list":[${'1.12345678,'.repeat(90_000)}1]}}}`;

function signature(): string {
  const at = Math.floor(Date.now() / 1000);
  return `t=${at},v1=${createHmac('sha256', source.secret).update(`${at}.${event}`).digest('hex')}`;
}

const doings: Record<Doing['what'], () => void> = {
  'downloads of orders.csv': () => repeat(1, () => ask('GET', `${home}/orders.csv`, { cookie })),
  'a file to compare without a line end, byte by byte': () =>
    repeat(1, () =>
      ask(
        'POST',
        `${home}/compare`,
        { cookie, origin, 'content-type': 'multipart/form-data; boundary=b' },
        form('x'.repeat(300_000)),
      ),
    ),
  'bodies of 63,000 pieces of a byte, five a second': () => {
    const head = `POST /svc-api/v1/orders HTTP/1.1\r\nHost: ${host}\r\nOrigin: https://none.example\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const bytes = `${head}${'1\r\nx\r\n'.repeat(63_000)}0\r\n\r\n`;
    setInterval(
      () =>
        void connect(Number(port), hostname)
          .on('error', () => {})
          .resume()
          .end(bytes),
      200,
    );
  },
  '10,500 idle connections': () => {
    const open = () =>
      void connect(Number(port), hostname)
        .on('error', () => {})
        .on('close', () => setTimeout(open, 1_000))
        .resume();
    // The system would refuse more concurrent connections than it queues for a program.
    for (let n = 0; n < 10_500; n++) setTimeout(open, n / 5);
  },
  'the API document on 200 connections': () => repeat(200, () => ask('GET', '/openapi.json', {})),
  'overviews of 10,000 currencies by eighty people': () => repeat(80, () => ask('GET', home, { cookie })),
  'signed events of 1 MiB, eight at a time': () =>
    repeat(8, () =>
      ask('POST', source.path, { 'content-type': 'application/json', 'stripe-signature': signature() }, [
        event,
      ]),
    ),
  'an order of 500 refunds, read by key and in four tabs': () => {
    repeat(4, () => ask('GET', `/svc-api/v1/orders/${order}`, { authorization: `Bearer ${key}` }));
    repeat(4, () => ask('GET', `${home}/orders?q=${order}`, { cookie }));
  },
  'fifty live pages, and a file that drips in': () => {
    repeat(50, () => ask('GET', `${home}/live`, { cookie }));
    const type = 'multipart/form-data; boundary=b';
    const drip = () =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname);
        const timer = setInterval(() => socket.write('x'), 1_000);
        socket.on('error', () => {}).resume();
        socket.on('close', () => {
          clearInterval(timer);
          resolve();
        });
        socket.write(
          `POST ${home}/compare HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nCookie: ${cookie}\r\nContent-Type: ${type}\r\nContent-Length: 100000\r\n\r\n${form('a').slice(0, 120)}`,
        );
      });
    repeat(4, drip);
  },
};

doings[what]();
