import type { Issue } from '@orderbeacon/sdk/contract';
import type { RefusedRow } from '../refused/refusedReport.js';
import { encodeId } from '../values/ids.js';
import type { Session } from './context.js';
import { FormToken } from './layout.js';
import { correctable, readSentFields, type SentFields } from './sentFields.js';

/** What somebody has just tried with a report, and why it was refused again. */
export interface TriedAgain {
  values: SentFields;
  message: string;
  issues: readonly Issue[] | null;
}

const labels: Record<keyof SentFields, string> = {
  email: 'Buyer’s email',
  amount: 'Amount, such as 1234.50',
  currency: 'Currency, such as USD',
  orderId: 'Your order id',
};

interface CorrectionProps {
  entry: RefusedRow;
  base: string;
  session: Session;
  tried: TriedAgain | null;
}

/** The form that corrects a refused report and stores it. */
export function Correction({ entry, base, session, tried }: CorrectionProps) {
  const values = tried?.values ?? readSentFields(entry);
  return (
    <section>
      <h2 id="correct">Correct it and store it</h2>
      {tried && (
        <div role="alert" class="notice bad">
          <p>Not stored: {tried.message}</p>
          <Issues issues={tried.issues} />
        </div>
      )}
      <form method="post" action={`${base}/console/refused/correct`}>
        <FormToken session={session} />
        <input type="hidden" name="id" value={encodeId('ref', entry.id)} />
        <div class="filters">
          {correctable.map((name) => (
            <label>
              {labels[name]}
              <input
                name={name}
                value={values[name]}
                dir="auto"
                inputmode={name === 'amount' ? 'decimal' : undefined}
                autocomplete="off"
                autocapitalize="none"
                spellcheck={false}
                {...(tried?.issues?.some(({ path }) => path === name) && { 'aria-invalid': 'true' })}
              />
            </label>
          ))}
        </div>
        <button type="submit">Store</button>
      </form>
    </section>
  );
}

/** The invalid fields of a report. */
export function Issues({ issues }: { issues: readonly Issue[] | null }) {
  if (!issues || issues.length === 0) return null;
  return (
    <ul>
      {issues.map(({ path, message }) => (
        <li class="long">
          <bdi>{path}</bdi>: <bdi>{message}</bdi>
        </li>
      ))}
    </ul>
  );
}
