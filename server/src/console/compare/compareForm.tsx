import { shopExports } from '../../compare/shopExports.js';
import { Choice } from '../parts/elements.js';
import { Form, NoForm } from '../parts/form.js';
import { uploadBytes } from './compareUpload.js';

/** Fields of the form that choose how the file is read. */
export type CompareChoices = Record<string, string>;

/** The form that takes a shop's export, with the choices of last time. */
export function UploadForm({ chosen }: { chosen: CompareChoices }) {
  const names = shopExports.slice(1).map(({ name }) => name);
  const isColumnNamed = columnFields.some(([name]) => (chosen[name] ?? '') !== '');
  return (
    <section>
      <h2>Choose a file</h2>
      <p>
        A CSV file of up to {uploadBytes / 1_000_000} MB. These are recognised by their first line:{' '}
        {names.join(', ')}, and files with the columns <code>orderId</code> and <code>amount</code>. Nothing
        of the file is kept, and nothing is stored before you say so.
      </p>
      <NoForm action="compare a file" />
      <Form action="/compare" enctype="multipart/form-data">
        <Choice
          name="mode"
          label="Compare with"
          chosen={chosen.mode ?? ''}
          choices={[
            ['live', 'Live orders'],
            ['test', 'Test orders'],
          ]}
        />
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
        <label>
          Currency, if the file has none
          <input name="currency" value={chosen.currency ?? ''} maxlength={characters} autocomplete="off" />
        </label>
        <details open={isColumnNamed}>
          <summary>The file has other columns</summary>
          {columnFields.map(([name, label]) => (
            <label>
              {label}
              <input name={name} value={chosen[name] ?? ''} maxlength={characters} autocomplete="off" />
            </label>
          ))}
        </details>
        {/* Last, because the fields before it are read first. */}
        <label>
          File
          <input type="file" name="file" accept=".csv,.tsv,.txt,text/csv" required />
        </label>
        <button type="submit">Compare</button>
      </Form>
    </section>
  );
}

/** Columns that can be named, with their labels. */
export const columnFields = [
  ['orderId', 'Column of the order id'],
  ['amount', 'Column of the total'],
  ['email', 'Column of the buyer’s email'],
  ['createdAt', 'Column of the date'],
  ['status', 'Column that says if it was paid'],
] as const;

const choices = ['mode', 'decimal', 'dates', 'currency', ...columnFields.map(([name]) => name)];
/** No name of a column is longer. */
const characters = 128;

/** Reads the choices of a form that was posted. */
export function readChoices(fields: Record<string, string>): CompareChoices {
  return Object.fromEntries(choices.map((name) => [name, (fields[name] ?? '').slice(0, characters).trim()]));
}
