import { sendTo } from './server.js';

/** Asks a server for its readiness. Asks again if a busy machine kept the database from answering. Resolves with the status. */
export async function readiness(url: string): Promise<number> {
  for (;;) {
    const { status, text } = await sendTo(new URL('/readyz', url), 'GET');
    if (!text.includes('The database has not answered')) return status;
  }
}
