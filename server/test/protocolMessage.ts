/** Frames a message of PostgreSQL's protocol: its letter, its length and its body. */
export function protocolMessage(letter: string, body: string): Buffer {
  const head = Buffer.from(`${letter}\0\0\0\0`);
  head.writeUInt32BE(Buffer.byteLength(body) + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
}
