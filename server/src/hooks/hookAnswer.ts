/** A request to a hook's address. */
export interface HookRequest {
  url: string;
  /** True where private addresses may be called. */
  allowsPrivate: boolean;
  headers: Record<string, string>;
  body: string;
  /** Ends the request early; the answer then has an error. */
  signal?: AbortSignal;
}

/** The outcome of a request to a hook's address. */
export interface HookAnswer {
  /** HTTP status; null when there was no answer. */
  status: number | null;
  /** Reason why the request failed, as a sentence; null after a status of 2xx. */
  error: string | null;
  /** Body of the answer, at most 1,000 characters; null for none. */
  answer: string | null;
  /** Time from `Retry-After`, at most a day; null for none. */
  retryAfterMs: number | null;
  tookMs: number;
}

/** Sends a request to a hook's address. Never rejects. */
export type SendHook = (request: HookRequest) => Promise<HookAnswer>;
