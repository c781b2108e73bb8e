import { isWithin, type JsonBounds, valuesOfLongNumber, valuesOfObject } from './jsonBounds.js';
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  endOfDigits,
  endOfString,
  endOfValue,
  isDigit,
  lowerE,
  minus,
  openBrace,
  openBracket,
  plus,
  point,
  quote,
  upperE,
} from './jsonPlaces.js';

/** A number with at most 15 characters, and an exponent of at most two, is exact. */
const exactCharacters = 15;
const exactExponent = 'e99'.length;

/** Part of a JSON text that `JSON.parse` must not read as it stands. */
export interface Cut {
  from: number;
  to: number;
  /**
   * `number`: one that may be inexact. `values`: a field that exceeds the bounds. `depth`: a list or an object that lies too
   * deep. `field`: fields of the top object, or entries of the top list, after the first ones, with the comma before them.
   */
  kind: 'number' | 'values' | 'depth' | 'field';
}

/** Parts of a JSON text, and what is known of its end. */
export interface Cuts {
  cuts: Cut[];
  /** Place of the last comma between fields of the top object; 0 for none. */
  lastComma: number;
  /** False for a text that ends within a part, so that it is no JSON. */
  isWhole: boolean;
}

/**
 * Finds the parts of a JSON text that `JSON.parse` may change or that exceed the bounds. One pass, which makes no values: to
 * read all of a text and then drop what is too much took five times as long. Of what exceeds the bounds only quotes and
 * brackets are looked at.
 */
export function findCuts(text: string, bounds: JsonBounds): Cuts {
  const cuts: Cut[] = [];
  const countsNames = !isWithin(bounds, text);
  const topNames = new Set<string>();
  const names = new Set<string>();
  let isWhole = true;
  let depth = 0;
  let values = 1;
  let lastComma = 0;
  /** Entries of the list at the top, or fields of the object, before the one that is being read. */
  let entries = 0;
  /** The last string. */
  let stringFrom = 0;
  let stringTo = 0;
  /** The value in the top object, or list, that is being read, and what was found before it. */
  let fieldFrom = 0;
  let cutsBefore = 0;
  let valuesBefore = 0;
  let newNames: string[] = [];

  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      stringFrom = at;
      at = stringTo = endOfString(text, at);
    } else if (code === comma) {
      values++;
      if (depth === 1) {
        lastComma = at;
        startField(at);
        // To cut 10,000 entries one by one took 25 ms.
        if (++entries === bounds.entries) at = cut('field', at, endOfValue(text, at, depth) - 1);
      } else if (values > bounds.values) at = cutField(at);
    } else if (code === colon) {
      if (depth === 1) startField(at);
      if (countsNames) at = countName(at);
    } else if (code === openBrace || code === openBracket) {
      const next = text.charCodeAt(at + 1);
      // With the first value in it.
      if (next !== closeBrace && next !== closeBracket)
        values += code === openBrace && depth > 0 ? valuesOfObject : 1;
      if (depth > 0 && values > bounds.values) at = cutField(at);
      else if (depth === bounds.depth) at = cut('depth', at, endOfValue(text, at));
      else if (++depth === 1) startField(at);
    } else if (code === closeBrace || code === closeBracket) {
      if (--depth <= 0) break;
    } else if (code === minus || isDigit(code)) at = countNumber(at);
  }
  return { cuts, lastComma, isWhole };

  function startField(at: number): void {
    fieldFrom = at + 1;
    cutsBefore = cuts.length;
    valuesBefore = values;
    if (newNames.length > 0) newNames = [];
  }

  /** Returns the last place of the part. */
  function cut(kind: Cut['kind'], from: number, to: number): number {
    if (to === text.length) isWhole = false;
    const last = cuts[cuts.length - 1];
    if (kind === 'field' && last?.to === from) last.to = to;
    else cuts.push({ from, to, kind });
    return to - 1;
  }

  /** Cuts the value in the top object that is being read. What was found in it does not count. */
  function cutField(at: number): number {
    cuts.length = cutsBefore;
    values = valuesBefore;
    for (const name of newNames) names.delete(name);
    const to = endOfValue(text, at, depth - 1);
    depth = 1;
    return cut('values', fieldFrom, to);
  }

  /** Counts the name before a colon. Returns the colon's place, or the last one of what is cut. */
  function countName(at: number): number {
    const name = text.slice(stringFrom + 1, stringTo);
    if (depth > 1) {
      if (names.has(name)) return at;
      if (names.size === bounds.names) return cutField(at);
      names.add(name);
      newNames.push(name);
      return at;
    }
    if (bounds.fields?.has(name)) return at;
    if (topNames.size < bounds.topNames) topNames.add(name);
    else if (!topNames.has(name)) return cut('field', lastComma, endOfValue(text, at + 1));
    return at;
  }

  /** Returns the last place of a number. */
  function countNumber(from: number): number {
    const mantissaTo = endOfDigits(text, from + 1, point);
    const code = text.charCodeAt(mantissaTo);
    const to = code === lowerE || code === upperE ? endOfDigits(text, mantissaTo + 2, plus) : mantissaTo;
    if (mantissaTo - from <= exactCharacters && to - mantissaTo <= exactExponent) return to - 1;
    values += valuesOfLongNumber - 1;
    cuts.push({ from, to, kind: 'number' });
    return to - 1;
  }
}
