import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emailsIn, plainEmail, readEmail } from '../src/values/email.js';
import { emailSchema } from '../src/values/emailSchema.js';
import { growthOf } from './growthOf.js';

const ann = 'ann@buyer.example';

/** Ways in which people and programs write Ann's address. */
const wrappings = [
  ...[' ', '\u00a0', '\u200b'].map((blank) => blank + ann + blank),
  ...['<>', "''", '""', '“”', '„“', '«»', '()', '**'].map(([open, close]) => open + ann + close),
  ...['.', ',', ';', '-', '\u3002', '.?to'].map((behind) => ann + behind),
  ...["'", '\ufeff', 'mailto:', 'mailto:='].map((before) => before + ann),
  ...['%40', '&#64;', '&#x40;', '\\x40', '%u0040', '\\u0040', '\uff20'].map((at) => ann.replace('@', at)),
  ...['&period;', '。', '｡', '．'].map((point) => ann.replace('.', point)),
  ...[
    'ANN@Buyer.EXAMPLE',
    'ａｎｎ@buyer.example',
    'ann\u200b@buyer.example\u2060',
    `<<${ann}>>`,
    `="${ann}"`,
  ],
  ...[`MAILTO:${ann}?subject=Hi`, `<mailto:${ann}>`, `mailto:<${ann}>`, `mailto://'${ann}'`],
  ...[`mailto:${ann}-?subject=Hi`, 'mailto:ann%2540buyer.example', `[${ann}](mailto:${ann})`],
  ...[`Ann <${ann}>`, `"Buyer, Ann" <${ann}>`, `"${ann}" <${ann}>`, `${ann} (Ann)`, `Ann &lt;${ann}&gt;`],
  '\\u003cann@buyer.example\\u003E',
];

it.each(wrappings)('%j is read as the email in it, and found', (sent) => {
  expect(readEmail(sent)).toBe(ann);
  for (const body of bodiesWith(sent)) expect([...emailsIn(body)]).toContain(ann);
});

/** Bodies as pages, backends and logs write them. */
function bodiesWith(sent: string): string[] {
  const json = JSON.stringify({ email: sent });
  return [
    json,
    JSON.stringify({ json }),
    json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    `{"url":"https://shop.example/thanks?a=1&email=${encodeURIComponent(sent)}&b=2#top"}`,
    `{"url":"https://shop.example/?back=${encodeURIComponent(`/?email=${encodeURIComponent(sent)}`)}"`,
  ];
}

const different: [string, string][] = [
  ['joann@buyer.example', 'joann@buyer.example'],
  ['ann@buyer.example.org', 'ann@buyer.example.org'],
  ['ann+1@buyer.example', 'ann+1@buyer.example'],
  ['ann%2B1@buyer.example', 'ann+1@buyer.example'],
  ['jo.ann@buyer.example', 'jo.ann@buyer.example'],
  ['jo-ann@buyer.example', 'jo-ann@buyer.example'],
  ['jo_ann@buyer.example', 'jo_ann@buyer.example'],
  ["jo'ann@buyer.example", "jo'ann@buyer.example"],
  ['jo&#039;ann@buyer.example', "jo'ann@buyer.example"],
  ['ann@buyer.example-shop.de', 'ann@buyer.example-shop.de'],
  ['ann@my-buyer.example', 'ann@my-buyer.example'],
  ['zoëann@buyer.example', 'zoëann@buyer.example'],
  ['😀ann@buyer.example', '😀ann@buyer.example'],
];

it.each(different)('%j is another email, and only that one is found', (sent, read) => {
  expect(readEmail(sent)).toBe(read);
  for (const body of bodiesWith(sent)) {
    const found = [...emailsIn(body)];
    expect(found).toContain(read);
    if (!sent.startsWith('😀')) expect(found).not.toContain(ann);
  }
});

it.each([
  ['ann@BÜCHER.example', 'ann@xn--bcher-kva.example'],
  ['ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
  ['zoe\u0308@buyer.example', 'zoë@buyer.example'],
  ['ZOË@buyer.example', 'zoë@buyer.example'],
])('%j is read in one spelling', (sent, read) => {
  expect(readEmail(sent)).toBe(read);
  expect([...emailsIn(`<${sent}>`)]).toEqual([read]);
});

it.each([
  `${ann}, bob@buyer.example`,
  `Bob bob@buyer.example <${ann}>`,
  `ann smith@buyer.example`,
  'ann @buyer.example',
  'ann@@buyer.example',
  'ann@buyer',
  'ann@buyer..example',
  'ann at buyer.example',
  `${ann} and more`,
  'ann\u0000@buyer.example',
  `${'x'.repeat(65)}@buyer.example`,
  `ann@${'x'.repeat(250)}.example`,
  `${' '.repeat(65_000)}${ann}`,
  '',
])('%j is refused, with a sentence that says how to write it', (sent) => {
  const { error } = emailSchema.safeParse(sent);
  expect(error?.issues).toMatchObject([{ message: expect.stringMatching(/^must (be|hold) /) }]);
});

describe('An email is found', () => {
  it.each([
    '...ann@buyer.example...',
    '--ann@buyer.example--',
    '100%ann@buyer.example',
    '%20ann@buyer.example%20',
    '"a\\nann@buyer.example\\nb"',
    'a&nbsp;ann@buyer.example&nbsp;b',
    '邮箱ann@buyer.example，谢谢',
    '送りました：ann@buyer.example。確認してください',
    '2026。ann@buyer.example',
    'ann@buyer.example。Thanks',
    '{ann@buyer.example}',
    'to/ann@buyer.example/',
    '_ann@buyer.example_',
    '~ann@buyer.example',
    'x=%E9&y=ann@buyer.example',
    '{"cut":"off","email":"ann@buyer.example',
  ])('in %j', (text) => {
    expect([...emailsIn(text)]).toContain(ann);
    expect([...emailsIn(`${'x '.repeat(30_000)}${text}`)]).toContain(ann);
  });

  it('wherever one was read', () => {
    const letters = [...'x@.\'"<> %&=+-_()é😀ü\\,;?/\u00a0\u200b\uff20'];
    const piece = fc.constantFrom(
      ...letters,
      'ann',
      'buyer',
      'example',
      '%40',
      '&#64;',
      '\\u0040',
      'mailto:',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), fc.array(piece, { maxLength: 5 }), (before, behind) => {
        const sent = `${before.join('')}ann@buyer${behind.join('')}.example`;
        const one = readEmail(sent);
        fc.pre(one !== null);
        for (const body of bodiesWith(sent)) expect([...emailsIn(body)]).toContain(one);
        expect(readEmail(one)).toBe(one);
      }),
      // One text in ten is an email.
      { numRuns: 300, maxSkipsPerRun: 1_000 },
    );
  });
});

it('a plain email is read as it is', () => {
  for (const sent of [...wrappings, ...different.map(([odd]) => odd)])
    if (plainEmail.test(sent)) expect(readEmail(sent)).toBe(sent);
  expect(plainEmail.test('ann.b+1_c-d@my-shop.example')).toBe(true);
});

/** Far from 8, of a time that grows with the length, and from 64, of one that grows with its square. */
const growthAtMost = 24;

it.each([
  ['an @ in each place', (n: number) => '@'.repeat(n), 65_536],
  ['an email in each word', (n: number) => 'a@b.c '.repeat(n), 10_900],
  ['places where it may begin', (n: number) => `${'='.repeat(64)}@b.c `.repeat(n), 940],
  ['escapes', (n: number) => '\\u0040'.repeat(n), 10_900],
  ['escapes in escapes', (n: number) => '%2525252540'.repeat(n), 5_900],
  ['broken escapes', (n: number) => '%e9%'.repeat(n), 16_000],
  ['dots', (n: number) => `@${'a.'.repeat(n)}`, 32_000],
  ['marks in wrong order', (n: number) => `a@b.${'\u0315\u0300'.repeat(n)}`, 16_000],
  ['one word', (n: number) => 'x'.repeat(n), 65_536],
  ['dashes in a host', (n: number) => `a@b.c${'-'.repeat(n)}d`, 65_000],
])('the time to find emails grows with a body full of %s, not faster', (_, textOf, times) => {
  expect(growthOf(emailsIn, textOf, times)).toBeLessThan(growthAtMost);
});

it.each([
  ['dots', (n: number) => `a@b${'.'.repeat(n)}c`],
  ['parts', (n: number) => `${'@'.repeat(n)}c`],
  ['a query', (n: number) => `a@b?${'.'.repeat(n)}@c`],
  ['brackets', (n: number) => '('.repeat(n)],
  ['spaces', (n: number) => `mailto:${' '.repeat(n)}c`],
  ['accents', (n: number) => `a@b${'\u0301'.repeat(n)}`],
  ['words', (n: number) => `a@${'b '.repeat(n / 2)}`],
])('the time to refuse a text full of %s that is no email grows with it, not faster', (_, textOf) => {
  const readOften = (text: string) => {
    for (let n = 0; n < 20; n++) expect(readEmail(text)).toBe(null);
  };
  // Longer texts are not read.
  expect(growthOf(readOften, textOf, 1_000)).toBeLessThan(growthAtMost);
});
