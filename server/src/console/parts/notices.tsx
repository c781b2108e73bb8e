import { useRequestContext } from 'hono/jsx-renderer';
import { displayDomain } from '../../teams/domains.js';
import { useConsole } from '../context.js';
import { readRemoved, tellStillCounted } from '../setup/removedDomain.js';
import { Form } from './form.js';

/** Tells a browser whose session has ended that it sees the team of its next one. */
export function LeftNotice() {
  const { session } = useConsole();
  if (useRequestContext().req.query('left') !== '1') return null;
  return (
    <p role="status" class="notice">
      You are signed out of the team that you looked at. This is{' '}
      <strong dir="auto">{session.teamName}</strong>, where you are still signed in.
    </p>
  );
}

/** Tells a browser that may change the team why a link for looking only has changed nothing. */
export function KeptNotice() {
  const { session } = useConsole();
  if (useRequestContext().req.query('kept') !== '1' || session.isReadOnly) return null;
  return (
    <p role="status" class="notice">
      The link that you opened is for looking only, and you may change everything here already. So it was not
      used, and works for a colleague as before. To try it, open it in a private window.
    </p>
  );
}

/** Names the domain that the viewer has just removed, with the button that allows it again. Nothing once it is allowed. */
export function RemovedNotice({ domains }: { domains: readonly { domain: string; isTest: boolean }[] }) {
  const { session } = useConsole();
  const removed = readRemoved(useRequestContext().req.query(), session);
  if (!removed || domains.some(({ domain }) => domain === removed.entry)) return null;
  const name = displayDomain(removed.entry);
  return (
    <div role="status" class="notice buttons">
      <span class="long">
        Removed {name}. Orders of its pages{' '}
        {tellStillCounted(removed.entry, domains) ?? 'are refused from now on'}.
      </span>
      <Form action="/console/domains/restore" class="inline">
        <input type="hidden" name="removed" value={removed.entry} />
        <input type="hidden" name="was" value={removed.isTest ? 'test' : 'live'} />
        <input type="hidden" name="proof" value={removed.proof} />
        <button type="submit" class="outline small" aria-label={`Undo: allow ${name} again`}>
          Undo
        </button>
      </Form>
    </div>
  );
}
