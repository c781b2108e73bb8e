import type { ErrorCode, Issue } from '../src/contract';

/**
 * What can go wrong: every code of the server, and three of the client's own. `network`: no answer came.
 * `timeout`: none came in time. `unexpected_answer`: something else than Orderbeacon answered, such as a
 * proxy or another site under a wrong `baseUrl`.
 */
export type ClientErrorCode = ErrorCode | 'network' | 'timeout' | 'unexpected_answer';

/** Why a call failed. Branch on `code`; `message` is for people. */
export class OrderbeaconError extends Error {
  override readonly name = 'OrderbeaconError';
  readonly code: ClientErrorCode;
  /** The HTTP status; null when no answer came. */
  readonly status: number | null;
  /** The invalid fields of an `invalid_request`, else empty. */
  readonly issues: Issue[];
  /** Quote it when you ask for help; null when the server gave none. */
  readonly requestId: string | null;

  constructor(
    code: ClientErrorCode,
    message: string,
    more: { status?: number; issues?: Issue[]; requestId?: string | null; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.status = more.status ?? null;
    this.issues = more.issues ?? [];
    this.requestId = more.requestId ?? null;
  }
}
