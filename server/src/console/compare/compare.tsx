import { BackToOrders } from '../parts/elements.js';
import { type CompareChoices, FileForm, UploadForm } from './compareForm.js';
import { Outcome, Stored } from './compareOutcome.js';
import type { ComparedUpload, StoredMissing } from './compareUpload.js';

interface CompareProps {
  /** The file that the page carries; none on the first page. */
  packed?: string;
  chosen?: CompareChoices;
  compared?: ComparedUpload;
  stored?: StoredMissing;
}

/** The content of the page that compares a shop's export with the stored orders. */
export function Compare({ packed, chosen = {}, compared, stored }: CompareProps) {
  return (
    <>
      <BackToOrders />
      <h1>Compare with your shop’s export</h1>
      {stored && <Stored {...stored} />}
      {compared?.refusal && (
        <p role="alert" class="notice bad">
          Not compared. {compared.refusal}
        </p>
      )}
      {compared?.shown && <Outcome shown={compared.shown} />}
      {packed && compared && compared.head.length > 0 && (
        <FileForm packed={packed} chosen={chosen} compared={compared} />
      )}
      <UploadForm />
    </>
  );
}
