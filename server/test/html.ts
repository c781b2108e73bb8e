const inline = 'a|abbr|b|bdi|code|em|i|kbd|mark|small|span|strong|time';

/** The visible text of a page, in which a word goes on behind an inline element, and each white space is a blank. */
export const textOf = (html: string) =>
  unescaped(
    html
      .replace(/<(head|script|style)\b[\s\S]*?<\/\1>/g, ' ')
      .replace(new RegExp(`</?(?:${inline})\\b[^>]*>`, 'g'), '')
      .replace(/<[^>]*>/g, ' '),
  )
    .replace(/\s+/g, ' ')
    .trim();

/** Reads the entities of a text or of an attribute. */
export const unescaped = (html: string) =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
