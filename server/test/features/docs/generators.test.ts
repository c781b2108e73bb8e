// @module-tag all
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { beforeAll, expect, it } from 'vitest';
import { exampleReports } from '../../../src/api/examples.js';
import type { OpenApi } from '../../../src/features/docs/openapi/document.js';
import { placeholderIds } from '../../../src/values/examples.js';
import { exampleOf } from '../../kit/examples.js';
import { temporaryFolder } from '../../kit/temporaryFolder.js';
import { readDocument } from './kit/openapi.js';

const require = createRequire(import.meta.url);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let document: OpenApi;
beforeAll(async () => {
  document = await readDocument();
});

/** Reads the body that a guide's curl command sends. */
function curlBody(name: string): string {
  const [, body] = /-d '(.*)' "\$SERVER/.exec(exampleOf('server/guides/integrating.md', name))!;
  return body!.replace(/'"\$(\w+)"'/g, '$1');
}

/** Code of an integrator. It uses a few types that each generator names differently. */
const usage = `
import type * as sdk from '@orderbeacon/sdk/contract';

export const reports: Report[] = [
  ${curlBody('order')},
  ${Object.values(exampleReports(placeholderIds))
    .map(({ value }) => JSON.stringify(value))
    .join(',\n  ')},
];
export const enrollment: EnrollmentBody = ${curlBody('enroll')};

/** The SDK's types and the generated ones are about the same JSON. */
export function exchange(report: Report, order: Answer<200>['data'], product: Product) {
  const asSdk: [sdk.OrderReport, sdk.Order, sdk.Product] = [report, order, product];
  return asSdk;
}
export function exchangeBack([report, order, product]: [sdk.OrderReport, sdk.Order, sdk.Product]) {
  const generated: [Report, Answer<200>['data'], Product] = [report, order, product];
  return generated;
}

export function outcome(answer: Answer<200> | Answer<400> | Answer<429> | Answer<'default'>): string {
  if (answer.success) return answer.data.orderNumber;
  if (answer.error.code === 'invalid_request') return answer.error.issues?.[0]?.path ?? '';
  return answer.requestId;
}
export function only400({ error: { code } }: Answer<400>) {
  const known: 'invalid_json' | 'invalid_request' = code;
  return known;
}

export function about(product: Product): string | number | null | undefined {
  switch (product.type) {
    case 'EVENT':
      return product.venue?.city;
    case 'WEBINAR':
      return product.speakers?.[0];
    case 'MEMBERSHIP':
      return product.trialDays;
    case 'MEETING':
      return product.bookingUrl;
    case 'PHYSICAL':
    case 'DIGITAL':
      return product.skus[0]?.unitsGranted;
  }
}

/** The SDK's type of a webhook's body is the generated ones together. */
export const toSdk = (event: Webhook): sdk.WebhookEvent => event;
export const fromSdk = (event: sdk.WebhookEvent): Webhook => event;
export function told(event: sdk.WebhookEvent): string | null {
  switch (event.type) {
    case 'order.created':
    case 'order.changed':
    case 'order.refunded':
      return event.data.orderId;
    case 'order.merged':
      return event.data.mergedId;
    case 'enrollment.created':
      return event.data.email;
    case 'orders.stopped':
    case 'refused.began':
    case 'hook.test':
      return event.data.message;
  }
}

const report = { teamId: 'team_1', email: 'ann@shop.example', amount: 1 };
export const variants: Report['items'] = [{ sku: 7, variant: 'M', quantity: 1.5, colour: 'red' }];
// @ts-expect-error an email is needed
export const noEmail: Report = { teamId: 'team_1', amount: 1 };
// @ts-expect-error a text is no order
export const text: Report = 'order';
// @ts-expect-error an amount is a number
export const amount: Report = { ...report, amount: '49.90' };
// @ts-expect-error a source is one of six
export const source: Report = { ...report, source: 'BANK' };
// @ts-expect-error a plain product has no venue
export const venue = (product: Extract<Product, { type: 'DIGITAL' }>) => product.venue;
// @ts-expect-error 400 is never about the rate
export const code: Answer<400>['error']['code'] = 'rate_limited';
`;

const generators = [
  {
    name: 'openapi-typescript',
    tags: [],
    bin: 'bin/cli.js',
    output: 'document.ts',
    args: (input: string, output: string) => [input, '-o', output],
    types: `import type { operations } from './document.js';
  type Bodies = operations['reportOrder']['requestBody']['content'];
  type Report = Bodies[keyof Bodies];
  type EnrollmentBody = operations['enrollPerson']['requestBody']['content']['application/json'];
  type Answers = operations['reportOrder']['responses'];
  type Answer<Status extends keyof Answers> = Answers[Status]['content']['application/json'];
  type Product = operations['getProduct']['responses'][200]['content']['application/json']['data'];
  type Webhook = operations['orderCreated' | 'orderMerged' | 'enrollmentCreated' | 'ordersStopped' | 'refusedBegan' | 'hookTest']['requestBody']['content']['application/json'];`,
  },
  {
    name: '@hey-api/openapi-ts',
    tags: ['long'],
    bin: 'bin/run.js',
    output: 'generated',
    args: (input: string, output: string) => ['-i', input, '-o', output],
    types: `import type * as generated from './generated';
export * from './generated';
  type Report = generated.ReportOrderData['body'];
  type EnrollmentBody = generated.EnrollPersonData['body'];
  type Answers = generated.ReportOrderResponses & generated.ReportOrderErrors;
  type Answer<Status extends keyof Answers> = Answers[Status];
  type Product = generated.GetProductResponses[200]['data'];
  type Webhook = (generated.OrderCreatedWebhookRequest | generated.OrderMergedWebhookRequest | generated.EnrollmentCreatedWebhookRequest | generated.OrdersStoppedWebhookRequest | generated.RefusedBeganWebhookRequest | generated.HookTestWebhookRequest)['body'];`,
  },
];

/** Generates types, and lists the errors in code that uses them. */
async function findProblems({ name, bin, output, args, types }: (typeof generators)[number]) {
  const folder = temporaryFolder();
  const input = join(folder, 'openapi.json');
  writeFileSync(input, JSON.stringify(document));
  const program = join(dirname(require.resolve(`${name}/package.json`)), bin);
  await promisify(execFile)(execPath, [program, ...args(input, join(folder, output))], { cwd: folder });
  const file = join(folder, 'usage.ts');
  writeFileSync(file, types + usage);
  const code = ts.createProgram([file], {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    paths: { '@orderbeacon/sdk/contract': [here('../../../../sdk/src/contract.ts')] },
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  return ts.getPreEmitDiagnostics(code).map(({ file, start = 0, messageText }) => {
    const line = file ? file.text.slice(0, start).split('\n').length : 0;
    return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

for (const generator of generators) {
  it(`types by ${generator.name}, with its defaults, fit the examples and the SDK`, {
    tags: generator.tags,
  }, async () => {
    expect(await findProblems(generator)).toEqual([]);
  });
}

it('Redocly’s recommended rules find nothing in the document', async () => {
  const { createConfig, lintFromString } = require('@redocly/openapi-core');
  const config = await createConfig({ extends: ['recommended'] });
  const lint = async (source: object) => {
    const found: { ruleId: string; message: string }[] = await lintFromString({
      source: JSON.stringify(source),
      config,
    });
    return found.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  };
  expect(await lint(document)).toEqual([]);
  expect(await lint({ ...document, servers: [] })).not.toEqual([]);
});
