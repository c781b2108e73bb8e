import type { Child } from 'hono/jsx';

/** Good, wrong, or worth a look. */
export type Tone = 'good' | 'bad' | 'warn';

/** A word about one thing. */
export function Badge({
  tone,
  title,
  children,
}: {
  tone?: Tone | undefined;
  title?: string;
  children: Child;
}) {
  return (
    <span class={tone ? `badge ${tone}` : 'badge'} title={title}>
      {children}
    </span>
  );
}

interface NoticeProps {
  tone?: Tone | undefined;
  /** Reads it out: `status` when the reader pauses, `alert` immediately. */
  role?: 'status' | 'alert';
  /** Buttons and links. */
  actions?: Child;
  children: Child;
}

/** A strip across the page: what was done, or what needs somebody. */
export function Notice({ tone, role, actions, children }: NoticeProps) {
  return (
    <div class={`notice line ${tone ?? ''}`} role={role}>
      <div class="grow">{children}</div>
      {actions}
    </div>
  );
}

/** A page or a part of one without anything: what will be there, and what to do. */
export function Empty({ children }: { children: Child }) {
  return <div class="body muted">{children}</div>;
}
