/** Shortest name that is compared. A short one, such as `HOST`, is near to many that mean something else. */
const lengthAtLeast = 8;

/** Returns the name that is nearest to a text: at most two letters differ. Undefined for none. */
export function nearest<Name extends string>(text: string, names: readonly Name[]): Name | undefined {
  const found = names
    .filter((name) => name.length >= lengthAtLeast)
    .map((name) => ({ name, edits: countEdits(text, name) }))
    .sort((one, other) => one.edits - other.edits)[0];
  return found && found.edits <= 2 ? found.name : undefined;
}

/** Counts the letters to insert, remove or replace between two texts (Levenshtein distance). */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (let at = 1; at <= other.length; at++) {
      const replaced = row[at - 1]! + (other[at - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, row[at]! + 1, next[at - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
