import type { FieldsOfYourOwn } from '@orderbeacon/sdk/contract';
import ts from 'typescript';
import { orderSchema } from '../src/orders/reportSchema.js';

/**
 * Fields of a report in the contract, and those of the shop's own that the SDK's types name. Any other one is stored as a field
 * of the shop's own, so a misspelt one is not refused.
 */
const orderFields = [
  ...Object.keys(orderSchema.shape),
  ...(['tax', 'shipping', 'discount', 'coupon', 'metadata'] satisfies (keyof FieldsOfYourOwn)[]),
];

/** Fields that each call of the SDK takes in an object, by the end of the call's name. */
const fieldsOf: Record<string, readonly string[]> = {
  track: orderFields,
  trackSecond: orderFields,
  createTracker: ['teamId', 'endpoint', 'visitor'],
  createClient: ['baseUrl', 'apiKey', 'timeoutMs', 'retries', 'fetch'],
  'orders.report': orderFields,
  'orders.refund': ['orderId', 'refundId', 'amount', 'reason'],
};

/** Fields that an example hands to a call of the SDK, and that the contract does not have. */
export function findOddFields(code: string, file: string): string[] {
  const odd: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText(source);
      const [, fields] = Object.entries(fieldsOf).find(([name]) => `.${called}`.endsWith(`.${name}`)) ?? [];
      for (const argument of fields ? node.arguments : []) {
        if (!ts.isObjectLiteralExpression(argument)) continue;
        const names = argument.properties.flatMap(({ name }) => name?.getText(source) ?? []);
        odd.push(
          ...names.filter((name) => !fields!.includes(name)).map((name) => `${called} takes no ${name}`),
        );
      }
    }
    ts.forEachChild(node, visit);
  };
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.ESNext);
  visit(source);
  return odd;
}
