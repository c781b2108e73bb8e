import { exampleEmail, isExampleOrder } from '../../values/examples.js';
import { findTemplate } from '../../values/templates.js';
import { withoutComma } from './correct.js';
import { parseBody } from './parseBody.js';

/** Names an invalid field, with what was sent in it where a body is given. */
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
  const template = typeof sent === 'string' ? findTemplate(sent.trim()) : null;
  if (template)
    return {
      why: `${who}: ${field} is a template that nobody filled in: ${quote(sent)}`,
      advice: `It is filled in by ${template.filledBy}. Write the order there, or more will come. Then open each one, correct it and store it.`,
      fix: 'each',
    };
  const decimal = fields && field === 'amount' ? withoutComma(fields) : null;
  if (decimal !== null)
    return {
      why: `${who} writes amounts ${String(sent).includes(',') ? 'with a comma' : 'with their currency'}: ${quote(sent)}`,
      advice: `Store those as numbers, such as ${decimal}. Fix the page or the backend too, or more will come.`,
      fix: 'comma',
    };
  return {
    why: describeSent(who, field, { sent, isKnown: fields !== undefined }),
    advice: 'Open each one, correct it and store it. Fix the page or the backend too, or more will come.',
    fix: 'each',
  };
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

function quote(sent: unknown): string {
  const text = String(sent);
  const isLong = text.length > quotedCharacters;
  return `“${isLong ? `${text.slice(0, quotedCharacters).toWellFormed()}…` : text}”`;
}
