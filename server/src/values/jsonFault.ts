/** Matches a text, number, word or sign of JSON, with the space before it. */
const token =
  /[\t\n\r ]*(?:("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])|([[\]{}:,]))/y;

const spaces = '\t\n\r ';

/** Words that programs write, but that are not JSON. */
const noJson = /^(?:-?Infinity|NaN|undefined|None|True|False|'|\/\/|\/\*)/;

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end';

/**
 * Describes the position where a text is not JSON, by line and column, and the reason. Called for a text that `JSON.parse` has
 * refused, because that message may quote what a buyer has typed. Its time is linear.
 */
export function describeJsonFault(text: string): string {
  const at = findFault(text);
  const lines = text.slice(0, at).split('\n');
  return `The body is not valid JSON at line ${lines.length}, column ${lines.at(-1)!.length + 1}${reason(text, at)}.`;
}

function reason(text: string, at: number): string {
  const rest = text.slice(at, at + 12);
  const [word] = noJson.exec(rest) ?? [];
  if (word !== undefined) return `: ${word} is no JSON`;
  if (rest === '') return ': it ends too early';
  return /^[\]}]/.test(rest) && /,\s*$/.test(text.slice(Math.max(0, at - 100), at))
    ? `: there is a comma before the ${rest[0]}`
    : '';
}

/** Finds the first character that a JSON text cannot have at that position. */
function findFault(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let at = 0; ; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(text);
    let start = at;
    while (spaces.includes(text[start] ?? '-')) start++;
    if (!found) return start;
    const [, string, scalar, sign] = found;
    const next = follow(
      expected,
      { sign, isName: string !== undefined, isScalar: scalar !== undefined },
      open,
    );
    if (next === null) return start;
    expected = next;
  }
}

/** Returns the state after a token; null if the token is not allowed. */
function follow(
  expected: Expected,
  { sign, isName, isScalar }: { sign: string | undefined; isName: boolean; isScalar: boolean },
  open: string[],
): Expected | null {
  const isEnd = (sign === '}' && open.at(-1) === '{') || (sign === ']' && open.at(-1) === '[');
  if (isEnd && /end$/.test(expected)) {
    open.pop();
    return 'comma or end';
  }
  switch (expected) {
    case 'value':
    case 'value or end':
      if (isName || isScalar) return 'comma or end';
      if (sign !== '{' && sign !== '[') return null;
      open.push(sign);
      return sign === '{' ? 'name or end' : 'value or end';
    case 'name':
    case 'name or end':
      return isName ? 'colon' : null;
    case 'colon':
      return sign === ':' ? 'value' : null;
    case 'comma or end':
      if (sign !== ',' || open.length === 0) return null;
      return open.at(-1) === '{' ? 'name' : 'value';
  }
}
