import { z } from 'zod';
import { mustBe } from './issues.js';

const sentForm = /^[A-Za-z]{3,5}$/;
const storedForm = /^[A-Z]{3,5}$/;

/** @returns true for a currency code as it is stored: 3 to 5 upper-case letters */
export function isStoredCurrency(value: unknown): value is string {
  return typeof value === 'string' && storedForm.test(value);
}

/**
 * Currencies without decimals, and with three (ISO 4217). CLDR, which `Intl` follows, rounds the prices of further currencies to
 * whole numbers.
 */
const withoutDecimals = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));
const withThreeDecimals = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));
const ofStates = new Set(Intl.supportedValuesOf('currency'));

/** @returns true for the code of a state's currency, in upper case */
export const isOfState = (code: string): boolean => ofStates.has(code);

/**
 * Returns the decimals of a currency's amounts. A state's currency has those of ISO 4217; any other, such as USDC, has 8. The code
 * is in upper case.
 */
export function decimalsOf(currency: string): number {
  if (withoutDecimals.has(currency)) return 0;
  if (withThreeDecimals.has(currency)) return 3;
  return isOfState(currency) ? 2 : 8;
}

/** @returns true for two amounts that are equal when rounded to the decimals of their currency */
export function isSameAmount(one: number, other: number, currency: string): boolean {
  if (one === other) return true;
  const decimals = decimalsOf(currency);
  return one.toFixed(decimals) === other.toFixed(decimals);
}

/** Codes of the currencies that shops write as a word. */
const codes = new Map(
  Object.entries({
    EURO: 'EUR',
    EUROS: 'EUR',
    YEN: 'JPY',
    RMB: 'CNY',
    YUAN: 'CNY',
    WON: 'KRW',
    ZLOTY: 'PLN',
    BAHT: 'THB',
    RAND: 'ZAR',
    NTD: 'TWD',
    NIS: 'ILS',
  }),
);
const namesOfSeveral = new Set(
  'DOLAR PESO PESOS POUND RUPEE RUPIA FRANC KRONA KRONE DINAR LIRA REAL RIYAL RUBLE'.split(' '),
);

/** @returns true for a word that is the name of several currencies, such as `PESO` */
export function isNameOfSeveral(currency: string): boolean {
  return namesOfSeveral.has(currency);
}

/** Turns a currency code into upper case, and a word such as `EURO` into its code. */
export function readCurrencyCode(text: string): string {
  const code = text.toUpperCase();
  return codes.get(code) ?? code;
}

/** Schema of a currency code. Turns it into upper case, and a word such as `EURO` into its code. */
export const currency = z
  .string({ error: mustBe('a string') })
  .regex(sentForm, { error: 'must be a currency code of 3 to 5 letters such as USD' })
  .overwrite(readCurrencyCode);
