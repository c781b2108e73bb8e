import type { Child } from 'hono/jsx';
import { useConsole } from '../context.js';

/** Path of the form that signs out. It is the only form for view-only access, because it changes nothing of the team. */
export const signOutPath = '/sign-out';

interface FormProps {
  /** Path of the form, below the team's. */
  action: string;
  class?: string;
  id?: string;
  enctype?: 'multipart/form-data';
  children?: Child;
}

/** A form of a signed-in page. Renders nothing for view-only access, except the form that signs out. */
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
  /** Hidden fields that the form sends. */
  fields?: Record<string, string>;
  /** Set if the button is not the page's main one. */
  isSmall?: boolean;
  /** Effect of the button for screen readers, if its words alone do not say it. */
  label?: string;
  children: Child;
}

/** A button that posts a form. */
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
  /** Set for a menu that opens towards the start of the line. */
  isAtEnd?: boolean;
  children?: Child;
}

/** A menu, or a form, that opens below its button. */
export function Menu({ title, isOpen, isAtEnd, children }: MenuProps) {
  return (
    <details class={isAtEnd ? 'dropdown push' : 'dropdown'} open={isOpen}>
      <summary>{title}</summary>
      <ul>{children}</ul>
    </details>
  );
}

/** The heading of a group in a menu. */
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

/** An action that asks for confirmation in a menu. Renders nothing for view-only access. */
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

/** Explains to a browser with view-only access why a page lacks its form. */
export function NoForm({ action }: { action: string }) {
  if (!useConsole().session.isReadOnly) return null;
  return <p class="muted">You have view-only access. To {action}, ask whoever sent you the link.</p>;
}
