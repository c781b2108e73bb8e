import { z } from 'zod';
import { localLength, readStorableEmail } from './email.js';
import { limits } from './limits.js';
import { mustBe } from './mustBe.js';

/** Letters and digits, and those with `-` and `_`, in ASCII, because gateways write a pattern into a header. */
const letter = String.raw`[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\xbf\s]`;
const letterOrDash = String.raw`[^\x00-\x2c\x2e\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\xbf\s]`;
const plainLabel = `${letter}(?:${letterOrDash}*${letter})?`;
/** Characters that no local part of the document has. */
const notLocal = String.raw`\s"(),:;<>@\[\]\\%\x00-\x1f\x7f-\x9f`;

/**
 * Pattern of an email without wrapping, for the API's document. It is stricter than `readEmail`, and has only what the
 * regular expressions of every language know.
 */
const documentedEmail = String.raw`^[^${notLocal}'=*|\x60][^${notLocal}]{0,${localLength - 1}}@(?:${plainLabel}\.)+${plainLabel}$`;

/** Schema of an email, which `readEmail` reads. At most 254 characters when it is read. */
export const emailSchema = z
  .string({ error: mustBe('a string') })
  .meta({ maxLength: limits.email, pattern: documentedEmail })
  .transform((sent, context) => {
    const read = readStorableEmail(sent);
    if (read !== null) return read;
    context.addIssue({ code: 'custom', message: refusalOf(sent) });
    return z.NEVER;
  });

/** SHA-256, SHA-1 and MD5 in hex, and SHA-256 in base64. */
const hash = /^(?:[\da-f]{64}|[\da-f]{40}|[\da-f]{32}|[A-Za-z\d+/]{43}=)$/i;

function refusalOf(sent: string): string {
  const text = sent.trim();
  if (text.length > limits.email) return `must be at most ${limits.email} characters`;
  if (hash.test(text)) return 'must be the email itself, not a hash of it';
  if (/\p{Cc}/u.test(text)) return 'must hold no control character';
  return sent.indexOf('@') === sent.lastIndexOf('@')
    ? 'must be an email address such as ann@shop.example'
    : 'must be one email address such as ann@shop.example, without a second @';
}
