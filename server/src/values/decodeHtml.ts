const entities = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi;

const names: Record<string, string> = {
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

/** Undoes the entities of HTML once, as browsers read an attribute. Unknown ones stay. */
export function decodeHtml(text: string): string {
  return text.replace(entities, (all, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return names[name.toLowerCase()] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
