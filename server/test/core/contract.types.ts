import type { EnrollmentRequest, Issue, OrderReport, RefundRequest } from '@orderbeacon/sdk/contract';
import type { z } from 'zod';
import type { orderSchema } from '../../src/core/orders/receive/reportSchema.js';
import type { enrollmentSchema } from '../../src/core/people/postEnrollment.js';
import type { refundSchema } from '../../src/core/refunds/postRefund.js';
import type { ProductDocument } from '../../src/features/catalog/productDocument.js';
import type { ImportedProduct } from '../../src/features/catalog/productSchema.js';
import type { describeIssues } from '../../src/values/issues.js';

/** Fails to compile unless both types are written the same. Only tsc checks it; nothing runs. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;
/** Resolves the intersections of a type, because `Same` compares how types are written. */
type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T;

export const order: Same<Plain<z.output<typeof orderSchema>>, Plain<OrderReport>> = true;
export const refund: Same<Plain<z.output<typeof refundSchema>>, Plain<RefundRequest>> = true;
export const enrollment: Same<Plain<z.output<typeof enrollmentSchema>>, Plain<EnrollmentRequest>> = true;
export const issues: Same<ReturnType<typeof describeIssues>['issues'], Issue[]> = true;
/** Every type of product that can be imported can be stored, and vice versa. */
export const kinds: Same<ImportedProduct['type'], ProductDocument['type']> = true;
