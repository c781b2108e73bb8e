import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ConsoleContext } from '../context.js';

/** The outcome of a form, which the next page says once. */
export interface Flash {
  words: string;
  /** Default: `good`. */
  tone?: 'good' | 'bad' | 'warn';
}

const name = 'orderbeacon_flash';
const secondsAtMost = 60;
/** A cookie holds 4,096 bytes. */
const wordsAtMost = 600;

/** Keeps the outcome of a form for the team's next page. */
export function setFlash(c: ConsoleContext, { words, tone = 'good' }: Flash): void {
  const text = JSON.stringify([c.var.team, tone, words.slice(0, wordsAtMost).toWellFormed()]);
  setCookie(c, name, Buffer.from(text).toString('base64url'), {
    ...c.var.cookies,
    maxAge: secondsAtMost,
    httpOnly: true,
    sameSite: 'Strict',
  });
}

/** Takes the outcome of the last form; null for none. A page that fetches itself leaves it to the next one that is opened. */
export function takeFlash(c: ConsoleContext): Flash | null {
  const text = getCookie(c, name, c.var.cookies.prefix);
  if (text === undefined || c.req.header('sec-fetch-dest') === 'empty') return null;
  try {
    const [team, tone, words] = JSON.parse(String(Buffer.from(text, 'base64url')));
    if (team !== c.var.team) return null;
    deleteCookie(c, name, c.var.cookies);
    return { words: String(words), tone: tone === 'bad' || tone === 'warn' ? tone : 'good' };
  } catch {
    return null;
  }
}
