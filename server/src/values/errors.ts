import type { ErrorCode, Failure, Issue } from '@orderbeacon/sdk/contract';

/** The status of each error code. A missing code does not compile. */
export const statusOf = {
  invalid_json: 400,
  invalid_request: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  invalid_signature: 403,
  origin_required: 403,
  domain_not_allowed: 403,
  team_mismatch: 403,
  signature_required: 403,
  product_not_found: 404,
  person_not_found: 404,
  sequence_not_found: 404,
  order_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  order_conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  refund_id_reused: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<ErrorCode, number>;

/** Default message of each code, for refusals without a more specific one. */
export const messageOf = {
  invalid_json: 'The body is not valid JSON.',
  invalid_request: 'The request has invalid fields; see issues.',
  missing_api_key: 'Send your API key in the header "Authorization: Bearer ob_live_…".',
  invalid_api_key: 'This API key is malformed, unknown or revoked; the command "key create" makes one.',
  origin_required: 'Origin required',
  domain_not_allowed: 'Domain not allowed',
  team_mismatch: 'This API key belongs to another team than the teamId of the body.',
  invalid_signature:
    'The signature does not fit this order. It is the hex HMAC-SHA256, with a live signing key of the team, of team, orderId, email, amount and currency.',
  signature_required: 'The team accepts signed orders only, and this report has no signature.',
  product_not_found: 'No product of this team has that id or slug.',
  person_not_found: 'No person of this team has that email; add the person or report an order first.',
  sequence_not_found: 'No email sequence of this team has that id.',
  order_not_found: 'No order of this team has that id, live for a live key, test for a test key.',
  not_found: 'Nothing is served under this path.',
  method_not_allowed: 'This path does not answer that method; see the Allow header.',
  order_conflict: 'This orderId is known with another buyer.',
  payload_too_large: 'The body is over 64 KiB; send a smaller one, with fewer items or shorter texts.',
  unsupported_media_type: 'Send the body as application/json.',
  idempotency_key_reused:
    'This Idempotency-Key was used before with another order; use a new key for each order.',
  refund_id_reused:
    'This refundId was used before for another order or amount; nothing was stored. Use a new refundId for each refund.',
  rate_limited: 'Too many requests from this address; wait as long as Retry-After says.',
  internal: 'Something failed on our side; nothing was stored. Quote the requestId when you report it.',
  unavailable: 'The service is not available right now; try again after the time in Retry-After.',
} as const satisfies Record<ErrorCode, string>;

/** Advice about refusals whose message the contract has fixed. */
const hintOf: Partial<Record<ErrorCode, string>> = {
  origin_required:
    'From a backend, send an API key: "Authorization: Bearer ob_live_…". From a page, no proxy may remove Origin.',
  domain_not_allowed:
    'Allow the host of the page for this team, or correct teamId: the team does not allow this host, or does not exist.',
};

/** Seconds in `Retry-After` of a 503: long enough for a restart, short enough for a waiting buyer. */
const unavailableRetryAfterSeconds = 2;

/** A refusal, with its code and status. Middleware and routes throw it, and never answer it themselves. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly issues: Issue[] | undefined;
  readonly headers: Record<string, string>;
  /** Set if the refused report is about the order of an erased person: nothing of it may be kept. */
  readonly isOfErased: boolean;
  readonly status: (typeof statusOf)[ErrorCode];

  /**
   * @param options.message replaces the default message
   * @param options.issues the invalid fields of a 400
   * @param options.headers further response headers, such as `Allow` or `Retry-After`
   * @param options.isOfErased see the property
   * @param options.status replaces the default status
   */
  constructor(
    code: ErrorCode,
    options: {
      message?: string;
      issues?: Issue[];
      headers?: Record<string, string>;
      isOfErased?: boolean;
      status?: (typeof statusOf)[ErrorCode];
      cause?: unknown;
    } = {},
  ) {
    super(options.message ?? messageOf[code], { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.issues = options.issues;
    this.headers = { ...standingHeaders(code), ...options.headers };
    this.isOfErased = options.isOfErased ?? false;
    this.status = options.status ?? statusOf[code];
  }
}

function standingHeaders(code: ErrorCode): Record<string, string> {
  if (statusOf[code] === 401) return { 'WWW-Authenticate': 'Bearer' };
  // The rest of the body is still being sent, so the connection cannot be used again.
  if (code === 'payload_too_large') return { Connection: 'close' };
  if (code === 'unavailable') return { 'Retry-After': String(unavailableRetryAfterSeconds) };
  return {};
}

/** Returns the sentences of a refusal: its message, and a hint if the message is the default. */
export function wordsOf(code: ErrorCode, message: string = messageOf[code]) {
  const hint = message === messageOf[code] && hintOf[code];
  return { message, ...(hint && { hint }) };
}

/**
 * Returns the address of a code's section of the guide.
 * @param guides the address below which guides are served
 */
export function errorDocs(code: ErrorCode, guides: string): string {
  return `${guides}/errors/${code}`;
}

/**
 * Builds the body of a refusal.
 * @param guides the address below which guides are served; null if no guides are served
 */
export function toFailure(error: ApiError, requestId: string, guides: string | null): Failure {
  const { code, message, issues } = error;
  const docs = guides === null ? null : errorDocs(code, guides);
  return {
    success: false,
    error: { code, ...wordsOf(code, message), ...(docs && { docs }), ...(issues && { issues }) },
    requestId,
  };
}

/** Error if more work waits than the server does in time. A later attempt may succeed. The message, if any, is for the caller. */
export class Overloaded extends Error {
  override name = 'Overloaded';
}

/** Error if the database cannot be used. The message is one line for the operator, including what to do. */
export class DatabaseError extends Error {
  override name = 'DatabaseError';
  /** The last sentence of the message, which is the fix for `DATABASE_URL` or its PostgreSQL; null if no fix is known. */
  readonly fix: string | null;

  constructor(message: string, { fix = null, cause }: { fix?: string | null; cause?: unknown } = {}) {
    super(fix === null ? message : `${message} ${fix}`, { cause });
    this.fix = fix;
  }
}

/** Error if a setting is wrong. The message is one line that names the variable and its allowed values. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Error if a file cannot be read. The message is one sentence with the reason and, if possible, what to do. */
export class FileError extends Error {
  override name = 'FileError';
}
