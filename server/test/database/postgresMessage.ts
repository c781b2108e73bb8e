/** Makes a message as PostgreSQL sends it: a letter, a length that includes itself, and a body. */
export function postgresMessage(letter: string, body: string): Buffer {
  const head = Buffer.from(`${letter}\0\0\0\0`);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, Buffer.from(body, 'latin1')]);
}

/** Makes the message by which PostgreSQL refuses a connection. */
export const postgresRefusal = (code: string, text: string) =>
  postgresMessage('E', `SFATAL\0VFATAL\0C${code}\0M${text}\0\0`);
