import { Agent, request } from 'node:http';
import { connect } from 'node:net';

/** What a stranger, or somebody who is signed in to another team, does to a server. */
export interface Doing {
  url: string;
  what: keyof typeof doings;
  /** The cookie of a browser that is signed in, and the address of its team's console. */
  cookie: string;
  home: string;
}

const { url, what, cookie, home } = JSON.parse(process.argv[2]!) as Doing;
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

/** Does something again and again, as that many do who never wait. */
const repeat = (times: number, act: () => Promise<void>) => {
  for (let n = 0; n < times; n++)
    void (async () => {
      for (;;) await act();
    })();
};

const form = (text: string) =>
  `--b\r\nContent-Disposition: form-data; name="file"; filename="orders.csv"\r\nContent-Type: text/csv\r\n\r\n${text}\r\n--b--\r\n`;

const doings = {
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
    // More at once than a system queues for a program would be refused by the system.
    for (let n = 0; n < 10_500; n++) setTimeout(open, n / 5);
  },
  'the API document on 200 connections': () => repeat(200, () => ask('GET', '/openapi.json', {})),
};

doings[what]();
