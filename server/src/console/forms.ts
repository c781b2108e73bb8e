import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { ApiError } from '../values/errors.js';
import { parseUrl } from '../values/url.js';
import type { ConsoleEnv } from './context.js';

export const formBytesAtMost = 64 * 1024;
/** Fields of a form. Reading millions takes seconds, in which the server answers no other request. */
const formFieldsAtMost = 1_000;

/**
 * Refuses forms that another site has posted. The browser must send `Sec-Fetch-Site: same-origin`, or an `Origin` of this
 * host or of the public URL. The latter counts because a proxy may change the host.
 * @throws ApiError `domain_not_allowed`
 */
export function refuseOtherSites(publicUrl: () => string): MiddlewareHandler<ConsoleEnv> {
  const check = csrf({
    origin(origin, c) {
      const url = parseUrl(origin);
      return origin === new URL(publicUrl()).origin || (url !== null && url.host === c.req.header('host'));
    },
  });
  return async function refuseOtherSites(c, next) {
    await check(c, async () => {}).catch(() => {
      throw new ApiError('domain_not_allowed', {
        message: 'This form was not sent by a page of this console.',
      });
    });
    return next();
  };
}

/**
 * Limits the size of a form, by default to 64 KiB.
 * @throws ApiError `payload_too_large`
 */
export function limitForms(maxSize = formBytesAtMost): MiddlewareHandler<ConsoleEnv> {
  return bodyLimit({
    maxSize,
    onError() {
      throw new ApiError('payload_too_large');
    },
  });
}

/**
 * Reads the fields of a posted form into `c.var.form`.
 * @throws ApiError `unsupported_media_type`; `payload_too_large` for too many fields; `invalid_request` if the connection
 * ends too early
 */
export function readForm(): MiddlewareHandler<ConsoleEnv> {
  return async function readForm(c, next) {
    if (!c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded')) {
      throw new ApiError('unsupported_media_type', { message: 'Send the form as a browser does.' });
    }
    const text = await c.req.text().catch(() => {
      throw new ApiError('invalid_request', { message: 'The form did not arrive completely.' });
    });
    if (text.split('&', formFieldsAtMost + 1).length > formFieldsAtMost)
      throw new ApiError('payload_too_large', {
        message: `The form has more than ${formFieldsAtMost} fields.`,
      });
    c.set('form', Object.fromEntries(new URLSearchParams(text)));
    return next();
  };
}
