import { ApiError } from '../values/errors.js';
import { idempotencyKeySchema } from './reportSchema.js';
import type { Identifiers } from './storedOrder.js';

/**
 * Picks the identifiers of a report. Pages and backends have namespaces of their own, so that nothing that a stranger
 * puts into a page's report can capture the retry of a backend.
 *
 * A page's `reportId` counts only where the report has no `orderId`. The SDK's retries are identical, so the `orderId`
 * finds them, and most orders need one index entry less. A report with a key has the header `Idempotency-Key`, or else
 * the `reportId` of its body.
 * @throws ApiError `invalid_request` when the header is out of bounds
 */
export function identify(
  report: { orderId?: string | undefined; reportId?: string | undefined },
  { hasKey, header }: { hasKey: boolean; header: string | undefined },
): Identifiers {
  const orderId = report.orderId ?? null;
  const reportId = report.reportId ?? null;
  if (!hasKey) return { orderId, reportId: orderId === null ? reportId : null, idempotencyKey: null };
  return { orderId, reportId: null, idempotencyKey: header === undefined ? reportId : checked(header) };
}

function checked(header: string): string {
  const key = idempotencyKeySchema.safeParse(header);
  if (key.success) return key.data;
  const { message } = key.error.issues[0]!;
  throw new ApiError('invalid_request', {
    message: `Invalid: Idempotency-Key. It ${message}.`,
    issues: [{ path: 'Idempotency-Key', message }],
  });
}
