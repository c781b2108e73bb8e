import type { Url } from './scalars';

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

/** One invalid field of a 400, or one warning. */
export interface Issue {
  /** Where the field is, such as `items.0.price`; empty for the body. */
  path: string;
  /** How to correct it or, in a warning, what was changed or differs. */
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
    /** A stable word to branch on. */
    code: ErrorCode;
    /** A sentence for a person. It may change. */
    message: string;
    /** What to do, where `message` does not say it. */
    hint?: string;
    /** Leads to the section about this code, on this server: cause, fix, and who fixes it. */
    docs?: Url;
    /** The invalid fields, at most 20. */
    issues?: Issue[];
  };
  /** Quote it when you ask for help; `X-Request-Id` is the same. */
  requestId: string;
  /** Of a page’s order report that had one. */
  reportId?: string;
}
