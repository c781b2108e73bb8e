import { isAmbiguousDecimal } from '../../values/decimal.js';
import { exampleEmail, isExampleOrder } from '../../values/examples.js';
import { findTemplate } from '../../values/templates.js';
import { isMissing, readDecimalText, takeNearNames, withoutComma } from './correct.js';
import { parseBody } from './parseBody.js';

/** The advice about reports that a person has to correct one by one. */
export const correctEach =
  'Open each one, correct it and store it. Fix the page or the backend too, or more will come.';

/** Describes an invalid field and its fix. If `body` is given, quotes what was sent. */
export function describeField(
  who: string,
  field: string,
  body: string | undefined,
): { why: string; advice: string; fix: 'comma' | 'each' | 'none' } {
  const fields = body === undefined ? undefined : parseBody(body);
  const sent = fields?.[field];
  if (field === 'orderId' && fields && isExampleOrder(fields))
    return {
      why: `${who} reports the printed example, the order of ${exampleEmail}`,
      advice:
        'Nobody has placed it. Have the shop fill in each order’s own email, amount, orderId and currency, then discard it.',
      fix: 'none',
    };
  if (field === 'teamId' && isMissing(sent) && fields)
    return {
      why: `${who} sends no teamId`,
      advice:
        'Store them: the key says that they are of this team. Have it send “teamId”, or more will come.',
      fix: 'comma',
    };
  const template = typeof sent === 'string' ? findTemplate(sent.trim()) : null;
  if (template)
    return {
      why: `${who}: ${field} is a template that nobody filled in: ${quote(sent)}`,
      advice: `It is filled in by ${template.filledBy}. Write the order there, or more will come. Then open each one, correct it and store it.`,
      fix: 'each',
    };
  if (field === 'amount' && fields && isMissing(sent)) {
    const near = takeNearNames({ ...fields });
    const amount = readDecimalText(near);
    const name = Object.keys(fields).find((each) => fields[each] === near.amount);
    if (amount !== null && name !== undefined)
      return {
        why: `${who} sends the amount as ${quote(name)}`,
        advice: `Store those with it, such as ${amount}. Have the page or the backend call it “amount”, or more will come.`,
        fix: 'comma',
      };
  }
  if (field === 'amount' && typeof sent === 'string' && isAmbiguousDecimal(sent.trim()))
    return {
      why: `${who}: the amount can be read in two ways: ${quote(sent)}`,
      advice:
        'Open each one and write which it is. Have the page or the backend send a number, or more will come.',
      fix: 'each',
    };
  const decimal = fields && field === 'amount' ? withoutComma(fields) : null;
  if (decimal !== null)
    return {
      why: `${who} writes amounts ${signsOf(String(sent))}: ${quote(sent)}`,
      advice: `Store those as numbers, such as ${decimal}. Fix the page or the backend too, or more will come.`,
      fix: 'comma',
    };
  return {
    why: describeSent(who, field, { sent, isKnown: fields !== undefined }),
    advice: correctEach,
    fix: 'each',
  };
}

function signsOf(amount: string): string {
  if (amount.includes(',')) return 'with a comma';
  return /[\p{L}\p{Sc}]/u.test(amount) ? 'with their currency' : 'with separators of thousands';
}

function describeSent(
  who: string,
  field: string,
  { sent, isKnown }: { sent: unknown; isKnown: boolean },
): string {
  if (field === '') return `${who}: the report is not valid`;
  if (!isKnown) return `${who}: ${field} is missing or not valid`;
  if (field.includes('.')) return `${who}: ${field} is not valid`;
  if (sent === undefined || sent === null || sent === '') return `${who} sends no ${field}`;
  return `${who}: ${field} is not valid: ${quote(sent)}`;
}

const quotedCharacters = 40;

/** Quotes a text or number. A list is only named: to write one of thousands of lists in each other exceeds the stack. */
function quote(sent: unknown): string {
  if (typeof sent === 'object') return Array.isArray(sent) ? 'a list' : 'an object';
  const text = String(sent);
  const isLong = text.length > quotedCharacters;
  return `“${isLong ? `${text.slice(0, quotedCharacters).toWellFormed()}…` : text}”`;
}
