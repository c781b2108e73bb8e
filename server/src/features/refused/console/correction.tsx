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

/** The fields of a refused report that a person can correct, as text. */
export interface SentFields {
  email: string;
  amount: string;
  currency: string;
  orderId: string;
}

/** Names of the fields that a person can correct. */
export const correctable = ['email', 'amount', 'currency', 'orderId'] as const satisfies (keyof SentFields)[];

/** Reads the correctable fields of a refused report as they were sent. A missing field is empty. */
export function readSentFields(entry: RefusedRow): SentFields {
  const sent = takeNearNames({ ...parseBody(entry.body) });
  // If the body cannot be parsed as a whole, the columns have the fields.
  const textOf = (name: keyof SentFields) => asText(Object.hasOwn(sent, name) ? sent[name] : entry[name]);
  return {
    email: textOf('email'),
    amount: textOf('amount'),
    currency: textOf('currency'),
    orderId: textOf('orderId'),
  };
}

/** @returns true if the amount was sent as a number, under its name or a similar one */
export function isNumberSent({ body }: RefusedRow): boolean {
  return typeof takeNearNames({ ...parseBody(body) }).amount === 'number';
}

/**
 * Returns the texts with which the form is filled: the fields as they were sent. Only an amount that can be read in just one way is
 * written in the viewer's language instead.
 */
export function fillFields(entry: RefusedRow, { locale }: Viewer): SentFields {
  const sent = readSentFields(entry);
  const { amount, currency } = entry;
  return amount === null ? sent : { ...sent, amount: writeAmount(amount, currency ?? '', locale) };
}

/** Corrected values that were refused again, and the reason. */
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

/** The list of a report's invalid fields. */
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
    // The value is nested thousands of levels deep.
    return '…';
  }
}
