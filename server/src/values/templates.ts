/** The kinds of templates, each with the programs that fill it in. */
const kinds: readonly { form: RegExp; filledBy: string }[] = [
  {
    form: /\{\{[^{}\n]{1,200}\}\}/,
    filledBy: 'Liquid or Twig in a file of the theme, or a tag manager in a tag of its own',
  },
  { form: /\{%[^\n]{1,200}?%\}/, filledBy: 'Liquid or Twig in a file of the theme' },
  { form: /<\?(?:php\b|=)[^\n]{1,200}?(?:\?>|$)/, filledBy: 'PHP in a file that the server runs' },
  { form: /<%[^\n]{1,200}?%>/, filledBy: 'the server in a file of its own kind, such as .erb, .ejs or .jsp' },
  {
    form: /\$\{[^{}\n]{1,200}\}/,
    filledBy: 'JavaScript in backticks, or a server in a file of its own kind',
  },
  {
    form: /\{\$[a-z_][^{}\n]{0,200}\}|\{!![^\n]{1,200}?!!\}/i,
    filledBy: 'Smarty or Blade in a file of the theme',
  },
  {
    form: /%%[A-Za-z=][^%\n]{2,100}%%|%[A-Z][A-Z\d_]{2,60}%/,
    filledBy: 'the shop system in its own settings',
  },
  { form: /\[\[\s*[a-z][\w.| -]{0,200}\]\]/i, filledBy: 'the server in a file of its own kind' },
  { form: /^#[a-z_]{2,60}#$/i, filledBy: 'the shop system in its own pages and mails' },
  {
    form: /^(?:@[A-Z]\w*\.[\w.]{1,200}|@@[a-z_]{2,60}@@|:(?:order|total|amount|e?mail|customer)\w*)$/i,
    filledBy: 'the server in a file of its own kind',
  },
  {
    form: /^\$(?:order|total|amount|price|e?mail|customer|currency)\w*(?:->[\w>-]+)?$/i,
    filledBy: 'PHP in a file that the server runs',
  },
  // Only as a whole value, because program code has brackets, too.
  {
    form: /^(?:\[[a-z][\w. -]*\]|[#%]?\{[a-z][\w. ]*\}|<[a-z][\w. ]*>|%[a-z_][\w.: -]{2,}%|\*\|\D+\|\*)$/i,
    filledBy: 'the shop system in its own pages',
  },
];

/** A template that no program has filled in. */
export interface Template {
  /** The template as it was found. */
  text: string;
  /** The programs that fill in templates of its kind, and where. */
  filledBy: string;
}

/** Finds the first template in a text; null if the text has no template. */
export function findTemplate(text: string): Template | null {
  for (const { form, filledBy } of kinds) {
    const [found] = form.exec(text) ?? [];
    if (found !== undefined) return { text: found, filledBy };
  }
  return null;
}
