import { describe, expect, it } from 'vitest';
import { readReport } from '../../../src/core/orders/receive/readReport.js';
import { describeIssues } from '../../../src/values/issues.js';
import { parseJson } from '../../../src/values/json.js';

const report = { teamId: 'team_x', email: 'ann@buyer.example', amount: 49.9 };

/** Makes the report with one field as a JSON text. If `json` is undefined, the field is missing. */
function withField(field: string, json: string | undefined): unknown {
  const body = JSON.stringify({ ...report, [field]: undefined });
  return parseJson(json === undefined ? body : body.replace('{', `{"${field}":${json},`));
}

const check = (field: string, json: string | undefined, isFromPage: boolean) => {
  const { issues, warnings } = readReport(withField(field, json), isFromPage);
  return issues ? { refused: describeIssues({ issues }) } : { warned: warnings };
};

const x = (length: number) => `"${'x'.repeat(length)}"`;

/** Fields as JSON whose report is refused, with the message about the field. */
const refusedFields: [field: string, json: string | undefined, message: RegExp][] = [
  ['teamId', undefined, /^is required$/],
  ['teamId', '5', /^must be a string$/],
  ['teamId', 'null', /^must be a string, not null$/],
  ['teamId', '""', /^must not be empty$/],
  ['email', undefined, /^is required$/],
  ['email', 'null', /^must be a string, not null$/],
  ['email', '"no-at-sign"', /^must be an email/],
  ['email', `"${'0aF1'.repeat(16)}"`, /^must be the email itself, not a hash of it$/],
  ['email', `"${'0a'.repeat(16)}"`, /^must be the email itself, not a hash of it$/],
  ['email', '"a@b"', /^must be an email/],
  ['email', '"two@at@signs.example"', /without a second @$/],
  ['email', `"${'x'.repeat(250)}@b.example"`, /at most 254/],
  ['email', '["a@b.example"]', /^must be a string$/],
  ['email', '"nul\\u0000@b.example"', /control character/],
  ['email', '"esc\\u001b[2J@b.example"', /control character/],
  ['amount', undefined, /^is required$/],
  ['amount', 'null', /^must be a number such as 49.9, not null$/],
  ['amount', 'true', /must be a number/],
  [
    'amount',
    '{"amount":"49.90","currencyCode":"EUR"}',
    /^must be a number such as 49.9, not an object: send amount.amount as a number, and amount.currencyCode as currency$/,
  ],
  ['amount', '{"value":"49.90"}', /not an object: send amount.value as a number$/],
  ['amount', '"12,50"', /^must be a number with a decimal point: send 12.5 for "12,50"$/],
  // It may mean 12500.
  ['amount', '"12,500"', /^must be a number such as 1000 or 1.5, because the point or comma/],
  ['amount', '""', /must be a number/],
  ['amount', '"1.000"', /thousands/],
  ['amount', '"1.234.567"', /thousands/],
  ['amount', '"49,90"', /49\.9 for "49,90"/],
  ['amount', '"$49.90"', /currency sign/],
  ['amount', '-0.01', /at least 0/],
  ['amount', '1e400', /15 significant digits/],
  ['amount', '-1e400', /15 significant digits/],
  ['amount', '12345678901234567890', /15 significant digits/],
  ['amount', '0.1234567890123456789', /15 significant digits/],
  ['amount', '90071992547409936', /15 significant digits/],
  ['amount', '4.9e-324', /2\.3e-308/],
  ['amount', '1000000000000.01', /at most 1000000000000$/],
  ['amount', '1e308', /at most 1000000000000$/],
  ['orderId', '50172.5', /put numbers in quotes/],
  ['orderId', '1234567890123456800', /put numbers in quotes/],
  ['orderId', x(256), /at most 255/],
  ['orderId', '"nul\\u0000"', /NUL/],
  ['orderId', '"unit\\u001f"', /U\+001F/],
  ['reportId', '"record\\u001e"', /U\+001E/],
  ['orderId', '"lone \\ud800 surrogate"', /surrogate/],
  ['currency', '"US"', /3 to 5 letters/],
  ['currency', '"DOLLAR"', /3 to 5 letters/],
  ['currency', '"U$D"', /3 to 5 letters/],
  ['currency', '840', /^must be a string$/],
  ['source', '"CASH"', /^must be one of STRIPE, /],
  ['source', '1', /^must be a string$/],
  ['reportId', x(256), /at most 255/],
];

it.each(refusedFields)(
  'a report with the %s %s is refused from a page and by a key',
  (field, json, message) => {
    for (const isFromPage of [true, false]) {
      expect(check(field, json, isFromPage)).toEqual({
        refused: {
          message: expect.stringMatching(`^Invalid: ${field}\\. ${field} `),
          issues: [{ path: field, message: expect.stringMatching(message) }],
        },
      });
    }
  },
);

/** Fields as JSON that are removed or changed in a page's order, with the message that a key gets. */
const warnedFields: [field: string, json: string, message: RegExp][] = [
  ['orderId', '""', /^must not be empty/],
  ['orderId', 'null', /, not null; an optional field can be left out$/],
  ['currency', 'null', /not null/],
  ['source', 'null', /not null/],
  ['name', 'null', /not null/],
  ['name', x(256), /at most 255/],
  ['name', `"${'😀'.repeat(128)}"`, /at most 255/],
  ['name', '{"first":"Ann"}', /^must be a string$/],
  ['name', '"nul \\u0000"', /NUL/],
  ['visitorId', 'null', /not null/],
  ['visitorId', x(256), /at most 255/],
  ['landings', x(2_049), /at most 2048/],
  ['reportId', 'null', /not null/],
  ['items', 'null', /not null/],
];

it.each(warnedFields)(
  'a report with the %s %s is stored from a page, which is told, and refused by a key',
  (...row) => {
    const [field, json, message] = row;
    expect(check(field, json, true)).toEqual({ warned: [{ path: field, message: expect.any(String) }] });
    expect(check(field, json, false)).toMatchObject({
      refused: { issues: [{ path: field, message: expect.stringMatching(message) }] },
    });
  },
);

/** Fields as JSON that a page's report may have, the values that are read, and the message that a key gets. */
const readFields: [field: string, json: string, read: unknown, message: RegExp][] = [
  ['amount', '"49.90"', 49.9, /without quotes/],
  ['amount', '" 0.25 "', 0.25, /without quotes/],
  ['amount', '"0.00012345"', 0.00012345, /without quotes/],
  ['orderId', '50172', '50172', /put numbers in quotes/],
];

it.each(readFields)('the %s %s of a page is read, and refused by a key', (field, json, read, message) => {
  const { report, extra, warnings } = readReport(withField(field, json), true);
  expect([report?.[field as 'amount'], extra, warnings]).toEqual([read, null, []]);
  expect(check(field, json, false)).toMatchObject({
    refused: { issues: [{ path: field, message: expect.stringMatching(message) }] },
  });
});

describe('the id of an item that is refused by a key', () => {
  it.each<[string, RegExp]>([
    [`{"sku":${x(256)}}`, /^must be at most 255 characters$/],
    ['{"sku":[]}', /^must be a string or a number$/],
    ['{"sku":""}', /^must not be empty; an optional field can be left out$/],
  ])('%s is told what to send instead', (item, message) => {
    expect(check('items', `[${item}]`, false)).toMatchObject({
      refused: { issues: [{ path: 'items.0.sku', message: expect.stringMatching(message) }] },
    });
  });
});

it.each(['null', '"order"', '5', '[]', '[{}]'])('%s instead of a report is refused', (json) => {
  for (const isFromPage of [true, false]) {
    const { issues } = readReport(parseJson(json), isFromPage);
    expect(describeIssues({ issues: issues! }).issues).toEqual([
      { path: '', message: 'must be a JSON object' },
    ]);
  }
});

describe('a field that nearly says it', () => {
  it.each(['sha256_email_address', 'email_sha256', 'hashed_email', 'emailHash', 'md5_email'])(
    'as %s does is named as a hash of the email',
    (name) => {
      for (const isFromPage of [true, false]) {
        const { issues } = readReport({ teamId: 'team_x', amount: 1, [name]: 'a'.repeat(64) }, isFromPage);
        const message = `is required: the email itself, because \`${name}\` is a hash of it`;
        expect(issues).toEqual([{ path: ['email'], message }]);
      }
    },
  );

  it.each([
    ['euro', 'EUR'],
    ['YEN', 'JPY'],
    ['RMB', 'CNY'],
    ['usd', 'USD'],
    ['USDC', 'USDC'],
  ])('is the currency that it means: %s', (currency, code) => {
    for (const isFromPage of [true, false]) {
      const read = readReport({ ...report, amount: 5, currency }, isFromPage);
      expect([read.report?.currency, read.warnings]).toEqual([code, []]);
    }
  });

  it('is kept with a warning where it means several currencies', () => {
    const message = 'is what several currencies are called; kept as sent. Send a code such as USD';
    expect(readReport({ ...report, currency: 'peso' }, false).warnings).toEqual([
      { path: 'currency', message },
    ]);
  });
});
