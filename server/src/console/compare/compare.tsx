import { BackToOrders } from '../parts/elements.js';
import { type CompareChoices, UploadForm } from './compareForm.js';
import { Outcome, Stored } from './compareOutcome.js';
import type { ShownComparison, StoredMissing } from './compareUpload.js';

interface CompareProps {
  chosen: CompareChoices;
  shown?: ShownComparison;
  stored?: StoredMissing;
  /** The reason why the file cannot be compared. */
  refusal?: string;
}

/** The content of the page that compares a shop's export with the stored orders. */
export function Compare({ chosen, shown, stored, refusal }: CompareProps) {
  return (
    <>
      <BackToOrders />
      <h1>Compare with your shop’s export</h1>
      {refusal && (
        <p role="alert" class="notice bad">
          Not compared. {refusal}
        </p>
      )}
      {shown && <Outcome shown={shown} chosen={chosen} />}
      {stored && <Stored {...stored} />}
      <UploadForm chosen={chosen} />
    </>
  );
}
