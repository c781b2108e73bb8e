import { hash, timingSafeEqual } from 'node:crypto';
import { readBytes } from '../http/readJson.js';
import { ApiError } from '../values/errors.js';
import type { ConsoleContext, ConsoleDeps } from './context.js';

const formBytesAtMost = 64 * 1024;

/**
 * Reads a form that one of our own pages has posted.
 * @throws ApiError `domain_not_allowed` when another site posted it; `unsupported_media_type`, `payload_too_large`
 */
export async function readForm(c: ConsoleContext, deps: ConsoleDeps): Promise<URLSearchParams> {
  if (!isOwnOrigin(c, deps)) {
    throw new ApiError('domain_not_allowed', {
      message: 'This form was not sent by a page of this console.',
    });
  }
  if (!c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded')) {
    throw new ApiError('unsupported_media_type', { message: 'Send the form as a browser does.' });
  }
  return new URLSearchParams((await readBytes(c.env.incoming, formBytesAtMost)).toString());
}

/**
 * Reads a form of a signed-in page, which carries the session's form token.
 * @throws ApiError as `readForm`; `domain_not_allowed` when the token is missing or that of another session
 */
export async function readSessionForm(c: ConsoleContext, deps: ConsoleDeps): Promise<URLSearchParams> {
  const form = await readForm(c, deps);
  const sent = hash('sha256', form.get('formToken') ?? '', 'buffer');
  if (!timingSafeEqual(sent, hash('sha256', c.get('session').formToken, 'buffer'))) {
    throw new ApiError('domain_not_allowed', {
      message: 'This page is from an earlier session. Go back, reload it, and try again.',
    });
  }
  return form;
}

/** Browsers name the posting page in `Origin`: it must be this host, or the one of the public URL behind a proxy. */
function isOwnOrigin(c: ConsoleContext, { publicUrl }: ConsoleDeps): boolean {
  const origin = c.req.header('origin');
  if (origin === undefined || !URL.canParse(origin)) return false;
  return new URL(origin).host === c.req.header('host') || origin === new URL(publicUrl()).origin;
}
