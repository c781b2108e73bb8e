import { z } from 'zod';
import { mustBe } from './mustBe.js';

const sentForm = /^[A-Za-z]{3,5}$/;
const storedForm = /^[A-Z]{3,5}$/;

/** True for a currency code as it may be sent: 3 to 5 letters in any case. */
export function isCurrency(value: unknown): value is string {
  return typeof value === 'string' && sentForm.test(value);
}

/** True for a currency code as it is stored: 3 to 5 upper-case letters. */
export function isStoredCurrency(value: unknown): value is string {
  return typeof value === 'string' && storedForm.test(value);
}

/** Schema of a currency code; turns it into upper case. */
export const currency = z
  .string({ error: mustBe('a string') })
  .regex(sentForm, { error: 'must be a currency code of 3 to 5 letters such as USD' })
  .toUpperCase();
