import { expect, it } from 'vitest';
import { emailSchema, plainEmail, readEmail } from '../../src/values/email.js';
import { growthOf } from '../kit/growthOf.js';

const ann = 'ann@buyer.example';

/** Ways in which people and programs write Ann's address. */
const wrapped = [
  ...[' ', '\u00a0', '\u200b', '\ufeff', '\r\n'].map((blank) => blank + ann + blank),
  ...['ANN@Buyer.EXAMPLE', 'ann\u200b@buyer.example\u2060'],
  ...[`<${ann}>`, `mailto:${ann}`, `MAILTO:${ann}`, `<mailto:${ann}>`, `< ${ann} >`],
  ...['ａｎｎ@buyer.example', 'ANN＠ＢＵＹＥＲ．ＥＸＡＭＰＬＥ', 'ann@buyer。example'],
  ...[`"${ann}"`, `'${ann}'`, `“${ann}”`, `${ann}.`, `${ann},`, `${ann} ;`, '"ann"@buyer.example'],
  ...[`Ann <${ann}>`, `"Buyer, Ann" <${ann}>`, ` Ann <mailto:${ann}>\n`],
];

it.each(wrapped)('%j is read as the email in it', (sent) => {
  expect(readEmail(sent)).toBe(ann);
});

const different: [string, string][] = [
  ['joann@buyer.example', 'joann@buyer.example'],
  ['ann@buyer.example.org', 'ann@buyer.example.org'],
  ['ann+1@buyer.example', 'ann+1@buyer.example'],
  ['jo.ann@buyer.example', 'jo.ann@buyer.example'],
  ["jo'ann@buyer.example", "jo'ann@buyer.example"],
  ['ann@my-buyer.example', 'ann@my-buyer.example'],
  ['zoëann@buyer.example', 'zoëann@buyer.example'],
  ['😀ann@buyer.example', '😀ann@buyer.example'],
  ['100%ann@buyer.example', '100%ann@buyer.example'],
  ['ann@1.2', 'ann@1.2'],
  ['ann@BÜCHER.example', 'ann@xn--bcher-kva.example'],
  ['ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
  ['zoe\u0308@buyer.example', 'zoë@buyer.example'],
  ['ZOË@buyer.example', 'zoë@buyer.example'],
  // NFKC would turn these into other mailboxes.
  ['ann²@buyer.example', 'ann²@buyer.example'],
  ['ﬁona@buyer.example', 'ﬁona@buyer.example'],
  ['ann。b@buyer.example', 'ann。b@buyer.example'],
];

it.each(different)('%j is read in one spelling, and as nobody else’s', (sent, read) => {
  expect(readEmail(sent)).toBe(read);
  expect(readEmail(read)).toBe(read);
});

it.each([
  `${ann}, bob@buyer.example`,
  `Bob bob@buyer.example <${ann}>`,
  `<${ann}> <bob@buyer.example>`,
  `ann smith@buyer.example`,
  'ann @buyer.example',
  'ann@@buyer.example',
  'ann@buyer',
  'ann@buyer..example',
  'ann at buyer.example',
  'ann%40buyer.example',
  'ann&#64;buyer.example',
  `'${ann}`,
  `=${ann}`,
  'ann%2B1@buyer.example',
  `${ann} and more`,
  `mailto:${ann}?subject=Hi`,
  'ann\u0000@buyer.example',
  `${'x'.repeat(65)}@buyer.example`,
  `ann@${'x'.repeat(250)}.example`,
  `${' '.repeat(65_000)}${ann}`,
  '',
])('%j is refused, with a sentence that says how to write it', (sent) => {
  const { error } = emailSchema.safeParse(sent);
  expect(error?.issues).toMatchObject([{ message: expect.stringMatching(/^must (be|hold) /) }]);
});

it.each([
  ['ann@buyer,example', 'must be one email address, with a point after the @ and no comma'],
  ['ann%40buyer.example', 'must be an email address without escapes of URLs: send @ for %40'],
  ['ann smith@buyer.example', expect.stringContaining('a plus in a URL becomes one')],
  [`${ann}, bob@buyer.example`, expect.stringContaining('without a second @')],
  [`${ann} bob@buyer.example`, expect.stringContaining('without a second @')],
])('%j is refused, and the fix is named', (sent, message) => {
  expect(emailSchema.safeParse(sent).error?.issues).toMatchObject([{ message }]);
});

it('a plain email is read as it is', () => {
  for (const sent of [...wrapped, ...different.map(([odd]) => odd)])
    if (plainEmail.test(sent)) expect(readEmail(sent)).toBe(sent);
  expect(plainEmail.test('ann.b+1_c-d@my-shop.example')).toBe(true);
});

it.each([
  ['dots', (n: number) => `a@b${'.'.repeat(n)}c`],
  ['parts', (n: number) => `${'@'.repeat(n)}c`],
  ['brackets', (n: number) => '<'.repeat(n)],
  ['spaces', (n: number) => `mailto:${' '.repeat(n)}c`],
  ['accents', (n: number) => `a@b${'\u0301'.repeat(n)}`],
  ['words', (n: number) => `a@${'b '.repeat(n / 2)}`],
])('the time to refuse a text full of %s that is no email grows with it, not faster', (_, textOf) => {
  const readOften = (text: string) => {
    for (let n = 0; n < 20; n++) expect(readEmail(text)).toBe(null);
  };
  // Longer texts are not read. The limit is far from 8, for time that grows with the length, and from 64, with its square.
  expect(growthOf(readOften, textOf, 1_000)).toBeLessThan(24);
});
