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

/** Currencies with three decimals (ISO 4217). */
const ofThreeDecimals = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);

/** True for the code of a currency with three decimals, in any case. */
export function hasThreeDecimals(currency: unknown): boolean {
  return typeof currency === 'string' && ofThreeDecimals.has(currency.toUpperCase());
}

/** Schema of a currency code; turns it into upper case. */
export const currency = z
  .string({ error: mustBe('a string') })
  .regex(sentForm, { error: 'must be a currency code of 3 to 5 letters such as USD' })
  .toUpperCase();
