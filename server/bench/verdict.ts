import { notify } from './table.js';

/** Least ratio of this checkout's figures to those of `--against`. */
const ratioAtLeast = 0.9;

/** The findings of a scenario. */
export interface Verdict {
  /** Notes a measured figure, for the JSON. */
  figure(name: string, value: number): void;
  /** Notes a figure with that of the other checkout. A ratio below 0.9 breaks the verdict. */
  compare(name: string, value: number, against: number): void;
  /** Prints a promise and if it was kept. If not, prints the evidence. */
  promise(what: string, isKept: boolean, evidence?: readonly string[]): void;
  readonly figures: Record<string, number>;
  readonly broken: string[];
}

/** Makes an empty verdict. */
export function createVerdict(): Verdict {
  const figures: Record<string, number> = {};
  const broken: string[] = [];
  function promise(what: string, isKept: boolean, evidence: readonly string[] = []): void {
    if (!isKept) broken.push(what);
    notify(`  ${isKept ? 'kept  ' : 'BROKEN'}  ${what}`);
    if (!isKept) for (const line of evidence.slice(0, 5)) notify(`          ${line}`);
  }
  const figure = (name: string, value: number) => {
    figures[name] = Number(value.toPrecision(4));
  };
  return {
    figures,
    broken,
    figure,
    promise,
    compare(name, value, against) {
      figure(`${name}, ratio`, value / against);
      const ratio = (value / against).toFixed(2);
      promise(`${name}: ${ratio} of the other checkout`, value / against >= ratioAtLeast);
    },
  };
}
