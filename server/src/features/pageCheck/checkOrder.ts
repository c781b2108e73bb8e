import { Script } from 'node:vm';
import { type Check, fail, note, pass } from '../../commands/check.js';
import { stub } from '../../core/script/tag.js';
import { exampleEmail } from '../../values/examples.js';
import type { PagePieces, Piece } from './findPieces.js';
import { dataOf, findUnfilled, hasExample } from './findUnfilled.js';
import type { PageElement } from './readElements.js';
import { deadType, escapeName, runsLate } from './readScript.js';
import { findOwnName, runsLater } from './scopes.js';

/**
 * Checks the second piece that a shop pastes into its page. It needs the stub as it was printed, in a script that runs, before a
 * call that reports an order. Themes and plugins that alter HTML damage it silently, and the order is then lost.
 * @param global the name of the tag's function; `others` are those of the page's other tags
 * @param print a sentence on where to get the piece
 */
export function checkOrder(
  { pieces, isTextOutside }: PagePieces,
  elements: readonly PageElement[],
  { global, others }: { global: string; others: readonly string[] },
  print: string,
): Check {
  const call = `${global}('order', …)`;
  const again = `Paste the second piece again, where nothing alters it. ${print}`;
  const fault = (message: string, fix = again) => fail('order', message, fix);
  const unfilled = findUnfilled(pieces, elements);
  if (unfilled) {
    const message = `The order on the page is a template that nobody filled in: ${unfilled.text}`;
    return fault(message, `It is filled in by ${unfilled.filledBy}. Write the order there. ${print}`);
  }
  for (const { script, code, stubAt } of pieces) {
    const type = deadType(script);
    if (type !== null) {
      const message = `Browsers do not run the script with the stub or the order: its type is ${type}, as consent tools and tools that delay scripts write it.`;
      return fault(
        message,
        'Exempt that script there, and take the type away. Orders are reported without consent.',
      );
    }
    const damage = damageOf(script);
    if (damage) return fault(`The script with the stub or the order is damaged: ${damage}.`);
    const loss = stubAt < 0 ? null : lossOf(code);
    if (loss) return fault(`The stub is not as it was printed: it lacks ${loss}.`);
  }
  const stubs = pieces.filter(({ stubAt }) => stubAt >= 0);
  const calls = pieces.filter(({ callAt }) => callAt >= 0);
  const own = findOwnName(elements, global);
  if (own !== null && (stubs.length > 0 || calls.length > 0)) {
    const message = `A script of the page has “${own}”: calls of ${global}() reach that, and not Orderbeacon.`;
    return fault(
      message,
      'Give the tag data-global="…" with another name, and the stub the same one at its end.',
    );
  }
  // The stub of another team's tag keeps that tag's calls.
  if (
    stubs.length > 0 &&
    !stubs.some(({ code }) => [global, ...others].some((name) => isNamed(code, name)))
  ) {
    const message = `The tag takes the calls of ${global}(), and the stub keeps those of another name.`;
    return fault(message, `Write "${global}" in the last parentheses of the stub.`);
  }
  if (calls.length === 0) {
    // If the stub is also in a script, the page shows it to its readers, as the demo does.
    if (isTextOutside && stubs.length === 0)
      return fault('The stub stands on the page as text, in no script.');
    return note(
      'order',
      `This page reports no order: its HTML has no ${call}.`,
      `If it is the confirmation page: paste the second piece. ${print} A call by a file of the shop or by a tag manager is not in the page’s HTML.`,
    );
  }
  if (stubs.length === 0) {
    const message = isTextOutside
      ? `The page calls ${call}, and the stub stands on the page as text, in no script.`
      : `The page calls ${call} without the stub: the order is lost where the script has not loaded yet.`;
    return fault(message);
  }
  const stubAt = Math.min(...stubs.map(({ script, stubAt }) => timeOf(script, stubAt)));
  const isEarly = ({ script, code, callAt }: Piece) =>
    timeOf(script, callAt) < stubAt && !runsLater(code, callAt);
  if (calls.some(isEarly)) return fault(`The page calls ${call} before the stub.`);
  if (hasExample(pieces, elements))
    return fault(
      `The page reports the printed example, the order of ${exampleEmail}.`,
      'Have the shop fill in each order’s own email, amount, orderId and currency.',
    );
  const data = dataOf(elements);
  if (data && !isJson(data.text))
    return fault(
      'The order on the page is not JSON.',
      'Write it as the recipe “Plain HTML” says: JSON in which only < is escaped.',
    );
  return pass('order', `The stub stands before ${call}.`);
}

const isNamed = (code: string, name: string) =>
  new RegExp(`\\(\\s*["'\`]${escapeName(name)}["'\`]\\s*\\)`).test(code);

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/**
 * Returns a number by which parts of scripts sort in the order in which they run. Scripts that run late come after all
 * others.
 */
const timeOf = (script: PageElement, at: number): number =>
  script.at + at + (runsLate(script) ? Number.MAX_SAFE_INTEGER / 2 : 0);

/** Characters of a script that is compiled at most. No script with a piece is longer, but a shop's file may be. */
const compiledCharacters = 200_000;

/** Describes why a script is not valid JavaScript; null if it is. The script is compiled, but never run. */
function damageOf({ text, attributes }: PageElement): string | null {
  if (/module/i.test(attributes.get('type') ?? '') || text.length > compiledCharacters) return null;
  try {
    new Script(text);
    return null;
  } catch (error) {
    const [, entity] = /(&#?\w{2,8};)/.exec(text) ?? [];
    if (entity) return `the page has ${entity} where a script needs the character itself`;
    if (/<\/?(?:br|p)\b/i.test(text)) return 'the page has <br> or <p> within it';
    if (/[‘’‚‛“”„′″]/.test(text)) return 'the page has curly quotes where a script needs plain ones';
    return `browsers say “${(error as Error).message}”`;
  }
}

/** Collects the platform's names and the strings in the stub, which minifiers keep. */
const namesOf = (code: string) => new Set(code.match(/(?<=\.)\w{4,}|(?<=["'`])\w{4,}(?=["'`:])/g));

/**
 * Lists what a stub lacks of the printed one; null if it lacks nothing. A minified stub is complete. Its own name does
 * not count.
 */
function lossOf(code: string): string | null {
  const kept = namesOf(code);
  const lost = [...namesOf(stub())].filter((one) => one !== 'track' && !kept.has(one));
  return lost.length === 0 ? null : lost.slice(0, 3).join(', ');
}
