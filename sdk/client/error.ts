import type { ErrorCode, Issue } from '../src/contract';

/**
 * Error codes: every code of the server, and three of the client. `network`: no answer came. `timeout`: no answer came
 * in time. `unexpected_answer`: something other than Orderbeacon answered, such as a proxy, or another site because of
 * a wrong `baseUrl`. If the client itself cannot write a request, the code is `invalid_request`, and `status` is null.
 */
export type ClientErrorCode = ErrorCode | 'network' | 'timeout' | 'unexpected_answer';

/** The failure of a call. Programs should test `code`; `message` is for people. */
export class OrderbeaconError extends Error {
  override readonly name = 'OrderbeaconError';
  readonly code: ClientErrorCode;
  /** The HTTP status; null if no answer came. */
  readonly status: number | null;
  /** URL on the server that leads to the cause and fix of the code; null if the answer has none. */
  readonly docs: string | null;
  /** The invalid fields of an `invalid_request`; otherwise empty. */
  readonly issues: Issue[];
  /** Id of the request in the server's log; null if the answer has none. */
  readonly requestId: string | null;

  constructor(
    code: ClientErrorCode,
    message: string,
    more: {
      status?: number;
      docs?: string | undefined;
      issues?: Issue[];
      requestId?: string | null;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.status = more.status ?? null;
    this.docs = more.docs ?? null;
    this.issues = more.issues ?? [];
    this.requestId = more.requestId ?? null;
  }
}
