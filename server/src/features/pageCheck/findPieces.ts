import type { PageElement, PageParts } from './readElements.js';
import { escapeName, withoutComments } from './readScript.js';

/** A script of the page that contains the stub, a call, or both. */
export interface Piece {
  script: PageElement;
  /** The script's text without comments. */
  code: string;
  /** Position of the stub in the code; -1 without a stub. */
  stubAt: number;
  /** Position of the first call in the code; -1 without a call. */
  callAt: number;
}

/** The stub and the calls that were found on a page. */
export interface PagePieces {
  pieces: Piece[];
  /** Set if the page has the stub as text outside of scripts. */
  isTextOutside: boolean;
}

/** Scripts that are kept at most. A page without faults has fewer. */
const piecesAtMost = 20;

/** Finds the scripts that contain the stub or a call, even if a tool has damaged them. */
export function findPieces({ elements, outside }: PageParts, global: string): PagePieces {
  const call = callOf(global);
  const pieces: Piece[] = [];
  for (const script of elements) {
    if (script.name !== 'script' || script.attributes.has('src') || pieces.length === piecesAtMost) continue;
    if (!script.text.includes(global) && !hasStub(script.text)) continue;
    const code = withoutComments(script.text);
    const stubAt = hasStub(code) ? code.toLowerCase().indexOf('hasownproperty') : -1;
    const callAt = code.search(call);
    // Frameworks write data as JSON, which may contain code as text.
    if (stubAt >= 0 || (callAt >= 0 && !/json/i.test(script.attributes.get('type') ?? '')))
      pieces.push({ script, code, stubAt, callAt });
  }
  return { pieces, isTextOutside: hasStub(outside) };
}

/** @returns true for text with the stub, in any letter case and with any quotes */
function hasStub(text: string): boolean {
  const lower = text.toLowerCase();
  return lower.includes('hasownproperty') && lower.includes('orderbeacon:');
}

/** Returns a pattern that matches a call that reports an order. Its quotes may be curly, as editors write them. */
function callOf(global: string): RegExp {
  const name = escapeName(global);
  return new RegExp(`(?<![\\w$])${name}(?:\\?\\.)?\\(\\s*(?:["'\`‘’‚‛“”„′″«»]|&#?\\w+;)order\\b`);
}
