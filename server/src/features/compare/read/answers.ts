import { columnKey } from '../../../values/csvHeads.js';
import { headWords } from './claims.js';
import { isNoDate } from './readDate.js';

const no =
  /^(?:no|n|false|f|off|0+(?:[.,]0+)?|nein|non|nee|nej|nao|não|not (?:yet|paid|cancelled|canceled|deleted)|never|нет|ei)$/;
const yes = /^(?:yes|y|true|t|on|1|ja|j|oui|o|si|s|sim|sí|да|x|✓|✔|wahr|vrai|kyllä)$/;

/** Reads yes or no; null for any other text. An empty cell, or text for no value, is no. */
export function readAnswer(text: string): boolean | null {
  const word = text.slice(0, 32).normalize('NFC').toLowerCase();
  if (word === '' || isNoDate(word) || no.test(word)) return false;
  return yes.test(word) ? true : null;
}

/** @returns true for a test order, false for a live one, null if the cell does not show it */
export function readMode(head: string, text: string): boolean | null {
  const word = columnKey(text);
  if (/^(?:tests?|testmode|sandbox|staging|dev|development)$/.test(word)) return true;
  if (/^(?:live|livemode|prod|production)$/.test(word)) return false;
  const answer = text === '' ? null : readAnswer(text);
  return answer !== null && /live/.test(headWords(head)) ? !answer : answer;
}
