import { Choice } from '../parts/elements.js';
import { formatDays } from '../parts/formatTime.js';
import type { Viewer } from '../parts/viewer.js';
import { type AskedRange, rangeParameters } from './askedRange.js';
import { type Range, rangeTitles } from './range.js';

interface RangeFieldsProps {
  /** The parameters of the page. */
  asked: AskedRange;
  /** The range that they name; null for none. */
  range: Range | null;
  /** True when the parameters are those of a custom range that was refused: its fields stay, to be corrected. */
  isRefused: boolean;
  /** Words of the choice of no range. Without them a range must be chosen. */
  none?: string;
}

/** The fields of a form that choose a range. Those for days show while `Custom` is chosen (`console.css`). */
export function RangeFields({ asked, range, isRefused, none }: RangeFieldsProps) {
  const { from = '', to = '' } = isRefused ? asked : rangeParameters(range);
  const choices = Object.entries(rangeTitles);
  return (
    <>
      <Choice
        name="range"
        label="Range"
        chosen={isRefused ? 'custom' : (range?.name ?? '')}
        choices={none === undefined ? choices : [['', none], ...choices]}
      />
      <label class="day">
        From
        <input type="date" name="from" value={from} />
      </label>
      <label class="day">
        To
        <input type="date" name="to" value={to} />
      </label>
    </>
  );
}

/** Says why a range is not shown, or not as it was asked for. */
export function RangeNote({ note }: { note: string | null }) {
  if (note === null) return null;
  return (
    <p class="notice bad" role="alert">
      {note}
    </p>
  );
}

/** A range in words, after "orders": `of the last 7 days`, `of 1–31 Oct 2026`. */
export function describeRange({ name, first, last }: Range, viewer: Viewer): string {
  if (name === 'custom') return `of ${formatDays(first, last, viewer)}`;
  const title = rangeTitles[name];
  return /^\d/.test(title) ? `of the last ${title}` : `of ${title.toLowerCase()}`;
}
