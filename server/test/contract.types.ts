import type {
  Enrollment,
  EnrollmentRequest,
  ErrorCode,
  Failure,
  Issue,
  Order,
  OrderReport,
  PlacedOrder,
  Product,
  Refund,
  RefundRequest,
  WebhookEvent,
} from '@orderbeacon/sdk/contract';
import type { z } from 'zod';
import type { refundSchema } from '../src/orders/refundSchema.js';
import type { orderSchema } from '../src/orders/reportSchema.js';
import type { enrollmentSchema } from '../src/people/enrollmentSchema.js';
import type { ProductDocument } from '../src/products/productDocument.js';
import type { ImportedProduct } from '../src/products/productSchema.js';
import type {
  enrollmentAnswerSchema,
  failureSchema,
  orderAnswerSchema,
  refundAnswerSchema,
} from '../src/site/openapi/answerSchemas.js';
import type { placedOrderSchema } from '../src/site/openapi/placedOrderAnswer.js';
import type { productAnswerSchema } from '../src/site/openapi/productAnswer.js';
import type { webhookBodies } from '../src/site/openapi/webhookEvents.js';
import type { describeIssues } from '../src/values/issues.js';

/** Fails to compile unless both types are the same to the letter; tsc runs it, there is nothing to execute. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;
/** The type with its intersections worked out, for `Same` compares how types are written. */
type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T;

export const order: Same<Plain<z.output<typeof orderSchema>>, Plain<OrderReport>> = true;
export const refund: Same<Plain<z.output<typeof refundSchema>>, Plain<RefundRequest>> = true;
export const enrollment: Same<Plain<z.output<typeof enrollmentSchema>>, Plain<EnrollmentRequest>> = true;
export const issues: Same<ReturnType<typeof describeIssues>['issues'], Issue[]> = true;
/** Every kind that can be imported can be stored, and the other way round. */
export const kinds: Same<ImportedProduct['type'], ProductDocument['type']> = true;

/** The answers in the OpenAPI document have the types of the contract. */
export const orderAnswer: Same<Plain<z.output<typeof orderAnswerSchema>>, Plain<Order>> = true;
export const refundAnswer: Same<Plain<z.output<typeof refundAnswerSchema>>, Plain<Refund>> = true;
export const placedOrder: Same<Plain<z.output<typeof placedOrderSchema>>, Plain<PlacedOrder>> = true;
export const enrollmentAnswer: Same<Plain<z.output<typeof enrollmentAnswerSchema>>, Plain<Enrollment>> = true;
export const productAnswer: Same<Plain<z.output<typeof productAnswerSchema>>, Plain<Product>> = true;
type WebhookBodies = typeof webhookBodies;
export const webhookEvent: Same<
  Plain<z.output<WebhookBodies[keyof WebhookBodies]>>,
  Plain<WebhookEvent>
> = true;
type FailureAnswer = z.output<ReturnType<typeof failureSchema>>;
export const failureCode: Same<FailureAnswer['error']['code'], ErrorCode> = true;
export const failureFields: Same<keyof FailureAnswer, keyof Failure> = true;
