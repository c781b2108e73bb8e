import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends bytes on a new connection. Resolves with the first answer's status and all received data. */
export async function sendRaw(url: string, bytes: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return { status: Number(text.split(' ')[1]), text };
}
