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
  /** Path of the field, such as `items.0.price`; empty for the body. */
  path: string;
  /** A sentence for a person: how to correct the field or, in a warning, what was changed or differs. */
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
    /** Stable name of the error. Programs test this one. */
    code: ErrorCode;
    /** A sentence for a person. It may change. */
    message: string;
    /** The next step, if `message` does not say it. */
    hint?: string;
    /** URL of this server’s section about the code: cause, fix, and who fixes it. */
    docs?: Url;
    /** The invalid fields, at most 20. */
    issues?: Issue[];
  };
  /** Id of the request, as in `X-Request-Id`. Quote it when you ask for help. */
  requestId: string;
  /** The `reportId` of a page’s order report; missing if the report has none. */
  reportId?: string;
}
