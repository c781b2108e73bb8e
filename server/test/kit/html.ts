const inline = 'a|abbr|b|bdi|code|em|i|kbd|mark|small|span|strong|time|wbr';

/** Returns the visible text of a page. Inline elements do not divide a word, and each white space is a blank. */
export const textOf = (html: string) =>
  unescaped(
    html
      .replace(/<(head|script|style)\b[\s\S]*?<\/\1>/g, ' ')
      .replace(new RegExp(`</?(?:${inline})\\b[^>]*>`, 'g'), '')
      .replace(/<[^>]*>/g, ' '),
  )
    .replace(/\s+/g, ' ')
    .trim();

/** Replaces the entities of a text or of an attribute. */
export const unescaped = (html: string) =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Reads the tiles of a page by their names: each figure, and the words next to it. */
export function tilesOf(html: string): Record<string, string[]> {
  const found = html.matchAll(/<(?:p|a) class="tile".*?<\/(?:p|a)>/gs);
  return Object.fromEntries(
    [...found].map(([tile]) => {
      const words = (part: RegExp) =>
        textOf(part.exec(tile)?.[1] ?? '').replace(/[\u00a0\u202f\u2009]/g, ' ');
      const about = words(/<\/strong>\s*<small>(.*?)<\/small>/s);
      const change = words(/<small class="tone[^>]*>(.*?)<span/s);
      return [
        words(/<span class="muted">(.*?)<\/span>/s),
        [words(/<strong>(.*?)<\/strong>/s), about, change].filter(Boolean),
      ];
    }),
  );
}
