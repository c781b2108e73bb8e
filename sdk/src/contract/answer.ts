/** Every value of `error.code`. */
export type ErrorCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'invalid_signature'
  | 'origin_required'
  | 'domain_not_allowed'
  | 'team_mismatch'
  | 'signature_required'
  | 'product_not_found'
  | 'person_not_found'
  | 'sequence_not_found'
  | 'order_not_found'
  | 'not_found'
  | 'method_not_allowed'
  | 'order_conflict'
  | 'idempotency_key_reused'
  | 'refund_id_reused'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'internal'
  | 'unavailable';

/** One invalid field: its path (`items.0.price`), and a sentence that says how to fix it. */
export interface Issue {
  path: string;
  message: string;
}

/** Every successful answer. Its status is 200. */
export interface Success<T> {
  success: true;
  data: T;
}

/** Every refusal, whatever its status. */
export interface Failure {
  success: false;
  error: {
    code: ErrorCode;
    message: string;
    /** What to do, where the message does not say it. */
    hint?: string;
    /** URL of the page about the code, on the server that answered. */
    docs?: string;
    issues?: Issue[];
  };
  requestId: string;
  /** The `reportId` of the page's report that is refused, if it had one. */
  reportId?: string;
}
