import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ConsoleContext } from '../context.js';
import type { Tone } from './notice.js';

/** The outcome of a form, which the next page says once. */
export interface Flash {
  words: string;
  /** Default: `good`. */
  tone?: Tone;
  /** The form that takes it back: its path below the team's, and its fields. */
  undo?: { to: string; fields: Record<string, string> };
}

const name = 'orderbeacon_flash';
const secondsAtMost = 60;
/** A cookie holds 4,096 bytes. */
const wordsAtMost = 600;

/** Keeps the outcome of a form for the team's next page. */
export function setFlash(c: ConsoleContext, { words, ...flash }: Flash): void {
  const short = words.slice(0, wordsAtMost).toWellFormed();
  const text = JSON.stringify({ ...flash, words: short, team: c.env.exchange.facts.team });
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
  deleteCookie(c, name, c.var.cookies);
  try {
    const { team, words, tone, undo } = JSON.parse(String(Buffer.from(text, 'base64url')));
    if (team !== c.env.exchange.facts.team) return null;
    return {
      words: String(words),
      tone: tone === 'bad' || tone === 'warn' ? tone : 'good',
      ...(typeof undo?.to === 'string' && { undo: { to: undo.to, fields: Object(undo.fields) } }),
    };
  } catch {
    return null;
  }
}
