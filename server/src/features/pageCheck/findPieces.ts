import type { PageElement, PageParts } from './readElements.js';
import { escapeName, withoutComments } from './readScript.js';

/** A script of the page that holds the stub, a call, or both. */
export interface Piece {
  script: PageElement;
  /** The text without comments. */
  code: string;
  /** Position of the stub in the code; -1 where it has none. */
  stubAt: number;
  /** Position of the first call in the code; -1 where it has none. */
  callAt: number;
}

/** The traces of the second piece on a page. */
export interface PagePieces {
  pieces: Piece[];
  /** True if the stub stands in the page as text, outside of scripts. */
  isTextOutside: boolean;
}

/** No sound page has as many scripts with a piece. */
const piecesAtMost = 20;

/** Finds the scripts that hold the stub or a call, also where a tool has damaged them. */
export function findPieces({ elements, outside }: PageParts, global: string): PagePieces {
  const call = callOf(global);
  const pieces: Piece[] = [];
  for (const script of elements) {
    if (script.name !== 'script' || script.attributes.has('src') || pieces.length === piecesAtMost) continue;
    if (!script.text.includes(global) && !hasStub(script.text)) continue;
    const code = withoutComments(script.text);
    const stubAt = hasStub(code) ? code.toLowerCase().indexOf('hasownproperty') : -1;
    const callAt = code.search(call);
    // Frameworks hand on data as JSON, which may tell of code.
    if (stubAt >= 0 || (callAt >= 0 && !/json/i.test(script.attributes.get('type') ?? '')))
      pieces.push({ script, code, stubAt, callAt });
  }
  return { pieces, isTextOutside: hasStub(outside) };
}

/** True for a text with the stub, whatever its case and quotes are now. */
function hasStub(text: string): boolean {
  const lower = text.toLowerCase();
  return lower.includes('hasownproperty') && lower.includes('orderbeacon:');
}

/** Matches a call that reports an order, also with the quotes that editors make of plain ones. */
function callOf(global: string): RegExp {
  const name = escapeName(global);
  return new RegExp(`(?<![\\w$])${name}(?:\\?\\.)?\\(\\s*(?:["'\`‘’‚‛“”„′″«»]|&#?\\w+;)order\\b`);
}
