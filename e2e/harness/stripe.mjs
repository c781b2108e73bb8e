import { createHmac, timingSafeEqual } from 'node:crypto';

const toleranceSeconds = 300;

/** Stands in for the `stripe` package: checks a webhook's signature by the scheme that Stripe documents. */
export default function Stripe() {
  return {
    webhooks: {
      constructEvent(body, header, secret) {
        const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
        if (!signature) throw new Error('no signature');
        const expected = createHmac('sha256', secret).update(`${seconds}.${body}`).digest();
        if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) throw new Error('wrong signature');
        if (Math.abs(Date.now() / 1000 - seconds) > toleranceSeconds) throw new Error('too old');
        return JSON.parse(body);
      },
    },
  };
}
