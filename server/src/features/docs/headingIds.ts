/**
 * Creates the function that makes the ids of one document's headings, as GitHub does: the second heading of a name ends
 * with `-1`.
 */
export function headingIds(): (heading: string) => string {
  const counts = new Map<string, number>();
  return function idOf(heading) {
    const id = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

/** Lists the headings of a document at a depth: their text without marks, and their ids. */
export function headingsOf(text: string, depth: number): { title: string; id: string }[] {
  const idOf = headingIds();
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^(#+) (.+)$/gm);
  return [...headings]
    .map(([, marks, title]) => ({
      depth: marks!.length,
      title: title!.replace(/[`*]/g, ''),
      id: idOf(title!),
    }))
    .filter((heading) => heading.depth === depth);
}
