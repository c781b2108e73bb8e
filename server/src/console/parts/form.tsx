import type { Child } from 'hono/jsx';
import { useConsole } from '../context.js';

/** The one form of a browser that may look only. It changes nothing of the team. */
export const signOutPath = '/sign-out';

interface FormProps {
  /** Its path below the team's. */
  action: string;
  class?: string;
  id?: string;
  enctype?: 'multipart/form-data';
  children?: Child;
}

/** A form of a signed-in page. A browser that may look only has the one that signs out. */
export function Form({ action, children, ...rest }: FormProps) {
  const { link, session } = useConsole();
  if (session.isReadOnly && action !== signOutPath) return null;
  return (
    <form method="post" action={link(action)} {...rest}>
      {children}
    </form>
  );
}

interface ActionProps {
  to: string;
  /** Fields that the form sends. */
  fields?: Record<string, string>;
  /** True for a button that is not the page's main one. */
  isSmall?: boolean;
  /** Effect of the button for screen readers, where its words alone do not say it. */
  label?: string;
  children: Child;
}

/** A button that does one thing. */
export function Action({ to, fields = {}, isSmall, label, children }: ActionProps) {
  return (
    <Form action={to}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class={isSmall ? 'outline secondary' : undefined} aria-label={label}>
        {children}
      </button>
    </Form>
  );
}

interface MenuProps {
  /** The words of its button. */
  title: Child;
  isOpen?: boolean;
  /** True for one that opens towards the start of the line. */
  isAtEnd?: boolean;
  children?: Child;
}

/** A menu, or a form that opens below its button. */
export function Menu({ title, isOpen, isAtEnd, children }: MenuProps) {
  return (
    <details class={isAtEnd ? 'dropdown push' : 'dropdown'} open={isOpen}>
      <summary>{title}</summary>
      <ul>{children}</ul>
    </details>
  );
}

/** The heading of a group of a menu. */
export function MenuGroup({ title }: { title: string }) {
  return (
    <li>
      <small>{title}</small>
    </li>
  );
}

interface ConfirmProps extends ActionProps {
  /** The words of the button that asks. */
  title: string;
  /** Consequence of the action. */
  text: Child;
}

/** An action that asks once: a menu says what it means, and has the button. A browser that may look only has none. */
export function Confirm({ title, text, children, ...action }: ConfirmProps) {
  if (useConsole().session.isReadOnly) return null;
  return (
    <Menu title={title} isAtEnd>
      <li>{text}</li>
      <li>
        <Action {...action} isSmall>
          {children}
        </Action>
      </li>
    </Menu>
  );
}

/** Says to a browser that may look only why a page lacks its form. */
export function NoForm({ action }: { action: string }) {
  if (!useConsole().session.isReadOnly) return null;
  return <p class="muted">You have view-only access. To {action}, ask whoever sent you the link.</p>;
}
