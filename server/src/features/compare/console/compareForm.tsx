import { useConsole } from '../../../console/context.js';
import { Choice } from '../../../console/parts/elements.js';
import { Form, NoForm } from '../../../console/parts/form.js';
import { modeText } from '../../../console/parts/format.js';
import { Panel } from '../../../console/parts/panel.js';
import { formats } from '../read/formats.js';
import type { ComparedUpload } from './shownComparison.js';
import { uploadBytes } from './uploads.js';

/** Choices of how to read a file, by field name. */
export type CompareChoices = Record<string, string>;

/** The form for a shop's export. */
export function UploadForm({ isFirst }: { isFirst: boolean }) {
  const { isTest } = useConsole();
  const names = [...new Set(formats.slice(1).map(({ name }) => name))];
  return (
    <Panel id="upload" title={isFirst ? 'Choose a file' : 'Choose another file'}>
      <NoForm action="compare a file" />
      <Form action="/compare" enctype="multipart/form-data" class="body line">
        <label class="grow">
          <span class="hidden">File</span>
          <input type="file" name="file" accept=".csv,.tsv,.txt,text/csv" required />
        </label>
        <button type="submit" class={isFirst ? undefined : 'outline secondary'}>
          Compare with your {modeText(isTest)} orders
        </button>
      </Form>
      <p class="body muted">
        A CSV file of up to {uploadBytes / 1_000_000} MB. These are recognised by their first line:{' '}
        {names.join(', ')}. Of any other file the columns are found by their names, or you name them. Nothing
        of it is kept here, and nothing is stored before you say so.
      </p>
    </Panel>
  );
}

/** Id of the form, for buttons elsewhere on the page. */
export const fileFormId = 'file';
/** Name of the button that confirms that the file's orders are not stored yet. */
export const areNewField = 'areNew';
/** Prefix of the names of the check boxes for words. */
const paidPrefix = 'paid ';
/** Columns that a list offers at most, and characters that are shown of a head. */
const columnsOffered = 200;
const headCharacters = 128;

/** The form with the choices of how to read the file, set to the previous choices. The form carries the file. */
export function FileForm({
  packed,
  chosen,
  compared: { head, shown, refusal },
}: {
  packed: string;
  chosen: CompareChoices;
  compared: ComparedUpload;
}) {
  const words = shown ? { ...shown.outcome.unknown, ...shown.outcome.unpaid } : {};
  const ticked = readPaidWords(chosen);
  const offered = [...new Set([...ticked, ...Object.keys(words)])];
  const heads = head.slice(0, columnsOffered).map((name) => [name, name.slice(0, headCharacters)] as const);
  // The field is then shown with the sentence that asks for it.
  const isCurrencyAsked = shown?.outcome.lacksCurrency && shown.outcome.missing > 0;
  const isAsking = refusal !== undefined || offered.length > 0;
  return (
    <Form action="/compare/again" id={fileFormId} class="panel">
      <input type="hidden" name="packed" value={packed} />
      <details open={isAsking}>
        <summary>How the file is read</summary>
        <div class="body line">
          {offered.length > 0 && (
            <fieldset>
              <legend>Words for a paid order</legend>
              {offered.map((word) => (
                <label>
                  <input type="checkbox" name={paidPrefix + word} checked={ticked.includes(word)} />
                  <bdi>{word}</bdi>
                  {words[word] !== undefined && ` (${words[word]})`}
                </label>
              ))}
            </fieldset>
          )}
          {columnFields.map(([name, label]) => (
            <Choice
              name={name}
              label={label}
              chosen={chosen[name] ?? ''}
              choices={[
                ['', shown?.outcome.columns[name] ?? 'None'],
                ...(canBeLeftOut.has(name) ? [leftOut] : []),
                ...heads,
              ]}
            />
          ))}
          {!isCurrencyAsked && (
            <CurrencyField label="Currency, if no column has it" value={chosen.currency ?? ''} />
          )}
          <Choice
            name="decimal"
            label="Amounts"
            chosen={chosen.decimal ?? ''}
            choices={[
              ['', 'As the file shows'],
              ['point', 'Decimal point: 1,234.50'],
              ['comma', 'Decimal comma: 1.234,50'],
            ]}
          />
          <Choice
            name="dates"
            label="Dates"
            chosen={chosen.dates ?? ''}
            choices={[
              ['', 'As the file shows'],
              ['dmy', 'Day first: 31/12/2026'],
              ['mdy', 'Month first: 12/31/2026'],
            ]}
          />
          <button type="submit" class="outline secondary">
            Compare again
          </button>
        </div>
      </details>
    </Form>
  );
}

/** The field of the currency of all orders. `form` is the id of another form on the page. */
export function CurrencyField({ label, value = '', form }: { label: string; value?: string; form?: string }) {
  return (
    <label class={form && 'line'}>
      {label}
      <input
        name="currency"
        value={value}
        maxlength={5}
        size={5}
        placeholder="EUR"
        autocomplete="off"
        {...(form && { form })}
      />
    </label>
  );
}

/** Fields that may be read from no column. `leftOut` is the choice for that: a name that no column has. */
const canBeLeftOut: ReadonlySet<string> = new Set(['email', 'createdAt', 'status']);
const leftOut = [' ', 'Leave it out'] as const;

/** Columns that can be chosen, with their labels. */
export const columnFields = [
  ['orderId', 'Column of the order id'],
  ['amount', 'Column of the total'],
  ['email', 'Column of the buyer’s email'],
  ['createdAt', 'Column of the date'],
  ['status', 'Column that says if it was paid'],
] as const;

/** Reads the words for a paid order that were ticked. */
export function readPaidWords(fields: Record<string, string>): string[] {
  return Object.keys(fields)
    .filter((name) => name.startsWith(paidPrefix))
    .map((name) => name.slice(paidPrefix.length));
}
