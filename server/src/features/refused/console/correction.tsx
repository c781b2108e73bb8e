import type { Issue } from '@orderbeacon/sdk/contract';
import { useConsole } from '../../../console/context.js';
import { writeAmount } from '../../../console/parts/amounts.js';
import { plainText, refusedField } from '../../../console/parts/elements.js';
import { Form } from '../../../console/parts/form.js';
import { Panel } from '../../../console/parts/panel.js';
import type { Viewer } from '../../../console/parts/viewer.js';
import { encodeId } from '../../../values/ids.js';
import { takeNearNames } from '../correct.js';
import { parseBody } from '../parseBody.js';
import type { RefusedRow } from '../refusedReport.js';

/** The fields of a refused report that a person can correct, as texts. */
export interface SentFields {
  email: string;
  amount: string;
  currency: string;
  orderId: string;
}

/** The names of the fields that a person can correct. */
export const correctable = ['email', 'amount', 'currency', 'orderId'] as const satisfies (keyof SentFields)[];

/** The correctable fields of a refused report as they were sent; empty where they are missing. */
export function readSentFields(entry: RefusedRow): SentFields {
  const sent = takeNearNames({ ...parseBody(entry.body) });
  // Of a body that is not read as a whole, the columns have them.
  const textOf = (name: keyof SentFields) => asText(Object.hasOwn(sent, name) ? sent[name] : entry[name]);
  return {
    email: textOf('email'),
    amount: textOf('amount'),
    currency: textOf('currency'),
    orderId: textOf('orderId'),
  };
}

/** True for an amount that was sent as a number, under its own name or a near one. */
export function isNumberSent({ body }: RefusedRow): boolean {
  return typeof takeNearNames({ ...parseBody(body) }).amount === 'number';
}

/** The fields as they are filled into the form: an amount that can be read in one way is written in the viewer's language. */
export function fillFields(entry: RefusedRow, { locale }: Viewer): SentFields {
  const sent = readSentFields(entry);
  const { amount, currency } = entry;
  return amount === null ? sent : { ...sent, amount: writeAmount(amount, currency ?? '', locale) };
}

/** The values that were just tried with a report, and why it was refused again. */
export interface TriedAgain {
  values: SentFields;
  message: string;
  issues: readonly Issue[] | null;
}

const labels: Record<keyof SentFields, string> = {
  email: 'Buyer’s email',
  amount: 'Amount',
  currency: 'Currency',
  orderId: 'Your order id',
};

/** The form that corrects a refused report and stores it. */
export function Correction({ entry, tried }: { entry: RefusedRow; tried: TriedAgain | null }) {
  const { viewer, session } = useConsole();
  if (session.isReadOnly) return null;
  const values = tried?.values ?? fillFields(entry, viewer);
  const samples: Partial<SentFields> = {
    amount: `such as ${writeAmount('1234.50', 'USD', viewer.locale)}`,
    currency: `such as ${session.currency ?? 'USD'}`,
  };
  return (
    <Panel id="correct" title="Correct it and store it">
      {tried && (
        <div id="refusal" role="alert" class="notice bad">
          <p>Not stored: {tried.message}</p>
          <Issues issues={tried.issues} />
        </div>
      )}
      <Form action="/refused/correct" class="body line">
        <input type="hidden" name="id" value={encodeId('ref', entry.id)} />
        {correctable.map((name) => (
          <label class={name === 'email' || name === 'orderId' ? 'grow' : undefined}>
            {labels[name]} {samples[name] && <small>{samples[name]}</small>}
            <input
              name={name}
              value={values[name]}
              dir="auto"
              inputmode={name === 'amount' ? 'decimal' : undefined}
              {...plainText}
              {...(tried?.issues?.some(({ path }) => path === name) && refusedField('refusal'))}
            />
          </label>
        ))}
        <button type="submit">Store</button>
      </Form>
    </Panel>
  );
}

/** The invalid fields of a report. */
export function Issues({ issues }: { issues: readonly Issue[] | null }) {
  if (!issues || issues.length === 0) return null;
  return (
    <ul>
      {issues.map(({ path, message }) => (
        <li>
          <bdi>{path}</bdi>: <bdi>{message}</bdi>
        </li>
      ))}
    </ul>
  );
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    // It nests thousands of levels deep.
    return '…';
  }
}
