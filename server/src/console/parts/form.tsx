import type { Child } from 'hono/jsx';
import { useConsole } from '../context.js';

/** The one form of a browser that may look only. It changes nothing of the team. */
export const signOutPath = '/sign-out';

/**
 * A form of a signed-in page. A browser that may look only has the one that signs out.
 * @param props.action its path below the team's
 */
export function Form({
  action,
  children,
  ...rest
}: {
  action: string;
  class?: string;
  id?: string;
  enctype?: 'multipart/form-data';
  children?: Child;
}) {
  const { home, session } = useConsole();
  if (session.isReadOnly && action !== signOutPath) return null;
  return (
    <form method="post" action={home + action} {...rest}>
      {children}
    </form>
  );
}

/** A form, and what there is to know before, folded until its summary is pressed. A browser that may look only has none. */
export function FoldedForm({
  summary,
  open = false,
  children,
}: {
  summary: string;
  open?: boolean;
  children?: Child;
}) {
  if (useConsole().session.isReadOnly) return null;
  return (
    <details open={open}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

/** Says to a browser that may look only why a page lacks its form. */
export function NoForm({ action }: { action: string }) {
  if (!useConsole().session.isReadOnly) return null;
  return (
    <p class="notice">
      There is no form here, because you were let in to look only. Ask a colleague who may change things to{' '}
      {action}.
    </p>
  );
}
