import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { FuzzRequest } from './fuzzRequests.js';

/** An answer. A raw connection may have several, or none if the server only closed it. */
export interface FuzzAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** Time limit of an answer. Each of these requests takes under a second. */
const hangsMs = 20_000;

/** Sends fuzzed requests to one server. Rejects if an answer does not come, or is no HTTP. */
export function createFuzzSender(url: string) {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });

  function sendSound({ method, target, headers, body }: FuzzRequest): Promise<FuzzAnswer[]> {
    return new Promise((resolve, reject) => {
      const names = new Map<string, string[]>();
      for (const [name, value] of headers) names.set(name, [...(names.get(name) ?? []), value]);
      // A list is sent as several headers. Node's client takes these two only once.
      const once = ['Host', 'Transfer-Encoding'];
      const sent = Object.fromEntries(
        [...names].map(([name, values]) => [name, once.includes(name) ? values[0]! : values]),
      );
      if (body && !names.has('Transfer-Encoding')) sent['Content-Length'] = String(body.length);
      const request = httpRequest(
        { hostname, port, agent, method, path: target, headers: sent },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('latin1');
            resolve([{ status: response.statusCode!, headers: toHeaders(response.rawHeaders), text }]);
          });
        },
      );
      request.setTimeout(hangsMs, () => request.destroy(new Error('hangs')));
      request.on('error', reject);
      request.end(body ?? undefined);
    });
  }

  function sendRaw(request: FuzzRequest): Promise<FuzzAnswer[]> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.setTimeout(hangsMs, () => {
        reject(new Error('hangs'));
        socket.destroy();
      });
      // If the server cut the connection, the answers before that count.
      socket.on('error', () => {});
      socket.on('close', () => {
        try {
          resolve(parseAnswers(Buffer.concat(chunks)));
        } catch (error) {
          reject(error);
        }
      });
      socket.write(rawBytes(request));
      // Node does not answer half-closed connections, so only a body that never becomes complete ends in that way.
      if (request.framing === 'short') socket.end();
    });
  }

  return {
    send: (request: FuzzRequest) => (request.framing === 'sound' ? sendSound(request) : sendRaw(request)),
    close: () => agent.destroy(),
  };
}

/** Writes the bytes of a request whose framing may be wrong. */
function rawBytes({ method, target, headers, body, framing }: FuzzRequest): Buffer {
  const isChunked = headers.some(([name]) => name === 'Transfer-Encoding');
  const length = body?.length ?? 0;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  if (framing === 'short') lines.push(`Content-Length: ${length + 10}`);
  else if (framing === 'long') lines.push(`Content-Length: ${length >> 1}`);
  else if (framing === 'doubleLength')
    lines.push(`Content-Length: ${length}`, `Content-Length: ${length + 1}`);
  else if (framing === 'lengthAndChunks')
    lines.push(`Content-Length: ${length}`, 'Transfer-Encoding: chunked');
  else if (framing === 'badChunk') lines.push('Transfer-Encoding: chunked');
  else if (body && !isChunked) lines.push(`Content-Length: ${length}`);
  const hasChunks = isChunked && framing !== 'short' && framing !== 'long';
  const chunk = (size: string) => Buffer.concat([Buffer.from(`${size}\r\n`), body ?? Buffer.alloc(0)]);
  const payload =
    framing === 'badChunk'
      ? chunk('zz')
      : hasChunks && length > 0
        ? Buffer.concat([chunk(length.toString(16)), Buffer.from('\r\n0\r\n\r\n')])
        : (body ?? Buffer.alloc(0));
  const whole = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), payload]);
  return framing === 'twice' ? Buffer.concat([whole, whole]) : whole;
}

/** Parses the answers of one connection. They have `Content-Length`, are chunked, or last to the connection's end. */
function parseAnswers(bytes: Buffer): FuzzAnswer[] {
  const answers: FuzzAnswer[] = [];
  let rest = bytes.toString('latin1');
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const [line, ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line!)?.[1]);
    const headers = toHeaders(lines.flatMap((header) => header.split(/: ?(.*)/s).slice(0, 2)));
    rest = rest.slice(end + 4);
    if (end < 0 || Number.isNaN(status)) throw new Error(`This is no HTTP answer: ${line}`);
    if (status < 200) continue;
    const hasNoBody = status === 204 || status === 304;
    let text = '';
    if (!hasNoBody && headers.get('transfer-encoding') === 'chunked') {
      for (let size = -1; size !== 0; ) {
        const at = rest.indexOf('\r\n');
        size = Number.parseInt(rest.slice(0, at), 16);
        if (Number.isNaN(size)) throw new Error('This is no chunk.');
        text += rest.slice(at + 2, at + 2 + size);
        rest = rest.slice(at + 4 + size);
      }
    } else if (!hasNoBody) {
      const length = Number(headers.get('content-length') ?? rest.length);
      text = rest.slice(0, length);
      rest = rest.slice(length);
    }
    answers.push({ status, headers, text });
  }
  return answers;
}

function toHeaders(flat: string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < flat.length; at += 2) headers.append(flat[at]!, flat[at + 1]!);
  return headers;
}
