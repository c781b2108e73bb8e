/** Escapes of JSON and JavaScript, of addresses (`%40`, `%u0040`) and of HTML. Half of one is not an escape. */
const escapes =
  /[\\%]u([0-9a-f]{4})|\\(?:x([0-9a-f]{2})|([bfnrt"\\/]))|((?:%[0-9a-f]{2})+)|&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi;

const jsonLetters: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const htmlNames: Record<string, string> = {
  amp: '&',
  apos: "'",
  commat: '@',
  gt: '>',
  lt: '<',
  nbsp: ' ',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quot: '"',
};

/** An address within an address, within JSON, within JSON. */
const levelsAtMost = 4;

/** Undoes the escapes of JSON, JavaScript, addresses and HTML, in up to four levels. Other escapes stay. Its time is linear. */
export function decodeText(text: string): string {
  for (let level = 0; level < levelsAtMost; level++) {
    const decoded = text.replace(escapes, decodeOne);
    if (decoded === text) break;
    text = decoded;
  }
  return text;
}

/** Undoes the escapes of HTML alone, once, as browsers read an attribute. */
export function decodeHtml(text: string): string {
  return text.replace(/&#?\w+;/g, (one) => one.replace(escapes, decodeOne));
}

function decodeOne(
  all: string,
  unit?: string,
  byte?: string,
  letter?: string,
  percent?: string,
  decimal?: string,
  hex?: string,
  name?: string,
): string {
  if (letter !== undefined) return jsonLetters[letter.toLowerCase()] ?? letter;
  if (percent !== undefined) return decodePercent(percent);
  if (name !== undefined) return htmlNames[name.toLowerCase()] ?? all;
  const code = decimal === undefined ? Number.parseInt((unit ?? byte ?? hex)!, 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : all;
}

/** Reads the bytes as UTF-8. Bytes of another encoding stay as they are. */
function decodePercent(text: string): string {
  const decoded = Buffer.from(text.replaceAll('%', ''), 'hex').toString();
  return decoded.includes('\ufffd') ? text : decoded;
}
