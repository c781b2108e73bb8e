import { Agent, request } from 'undici';
import { isPrivateName, lookupBy, publicOnly } from '../values/publicLookup.js';
import { version } from '../values/version.js';
import { pageBytesAtMost, type SendToShop } from './askShop.js';

/** Makes the function that sends a request to a shop's API. */
export function createSendToShop({ answerMs = 15_000 } = {}): SendToShop {
  const publicOnes = new Agent({ connect: { lookup: lookupBy(publicOnly()), autoSelectFamily: true } });
  const privateOnes = new Agent();
  return async function sendToShop({ url, headers, allowsPrivate, signal }) {
    if (!allowsPrivate && isPrivateName(new URL(url))) return { error: 'its address is private.' };
    const late = AbortSignal.timeout(answerMs);
    try {
      const answer = await request(url, {
        dispatcher: allowsPrivate ? privateOnes : publicOnes,
        // Firewalls of shops refuse programs without a name.
        headers: { ...headers, accept: 'application/json', 'user-agent': `Orderbeacon/${version}` },
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > pageBytesAtMost)
          return { error: `the page has more than ${pageBytesAtMost / 1_048_576} MiB.` };
        chunks.push(chunk);
      }
      return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString() };
    } catch (error) {
      if (late.aborted) return { error: `no answer within ${answerMs / 1_000} s.` };
      return { error: `${(error as NodeJS.ErrnoException).code ?? 'it failed'}.` };
    }
  };
}
