import type { Child } from 'hono/jsx';
import { useConsole } from '../context.js';

/** Forms that change nothing of a team. A browser that may look only has these. */
export const formsOfLookers: readonly string[] = ['/console/sign-out', '/console/switch'];

/**
 * A form of a signed-in page, with the session's token. A browser that may look only has those alone that change nothing of a
 * team.
 * @param props.action its path on this server
 */
export function Form({
  action,
  children,
  ...rest
}: {
  action: string;
  class?: string;
  enctype?: 'multipart/form-data';
  children?: Child;
}) {
  const { base, session } = useConsole();
  if (session.isReadOnly && !formsOfLookers.includes(action)) return null;
  return (
    <form method="post" action={base + action} {...rest}>
      <input type="hidden" name="formToken" value={session.formToken} />
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
