import { useConsole } from '../../../console/context.js';
import { Notice, PageHead } from '../../../console/parts/panel.js';
import type { Press } from '../store/comparePress.js';
import { type CompareChoices, FileForm, UploadForm } from './compareForm.js';
import { Outcome } from './compareOutcome.js';
import { Presses, Stored } from './compareStored.js';
import type { ComparedUpload, StoredMissing } from './shownComparison.js';

interface CompareProps {
  /** The compressed file that the page carries; absent on the first page. */
  packed?: string;
  chosen?: CompareChoices;
  compared?: ComparedUpload;
  stored?: StoredMissing;
  /** Earlier presses of the last day, without the one in `stored`. */
  presses: readonly Press[];
}

/** Content of the page that compares a shop's export with the stored orders. */
export function Compare({ packed, chosen = {}, compared, stored, presses }: CompareProps) {
  const { link } = useConsole();
  return (
    <>
      <PageHead
        title={
          <>
            <a href={link('/orders')}>Orders</a> / Compare with your shop’s export
          </>
        }
      />
      {stored && <Stored {...stored} />}
      <Presses presses={presses} />
      {compared?.refusal && (
        <Notice tone="bad" role="alert">
          Not compared. {compared.refusal}
        </Notice>
      )}
      {compared?.shown && <Outcome shown={compared.shown} refused={stored?.notStored.length ?? 0} />}
      {packed && compared && compared.head.length > 0 && (
        <FileForm packed={packed} chosen={chosen} compared={compared} />
      )}
      <UploadForm isFirst={!packed} />
    </>
  );
}
