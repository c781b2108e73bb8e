import type { Child } from 'hono/jsx';

/** The head of a page: its heading, a line next to it, and actions. */
export function PageHead({ title, about, children }: { title: Child; about?: Child; children?: Child }) {
  return (
    <div class="line">
      <h1 class="large">{title}</h1>
      {about && <p class="muted">{about}</p>}
      {children && <div class="line push">{children}</div>}
    </div>
  );
}

interface PanelProps {
  /** Heading of the panel. The element with `id` names the panel for screen readers. */
  title?: Child;
  id?: string;
  /** Name for screen readers, if the panel has no heading. */
  label?: string;
  /** Content on the line of the heading. */
  beside?: Child;
  children?: Child;
}

/** A framed part of a page. */
export function Panel({ title, id, label, beside, children }: PanelProps) {
  return (
    <section class="panel" aria-labelledby={title && id ? id : undefined} aria-label={label}>
      {title && (
        <header class="line">
          <h2 id={id}>{title}</h2>
          {beside}
        </header>
      )}
      {children}
    </section>
  );
}

/** Tone of a message or mark: good, wrong, or worth a look. */
export type Tone = 'good' | 'bad' | 'warn';

interface NoticeProps {
  tone?: Tone | undefined;
  /** Makes screen readers read it out: `status` when the reader pauses, `alert` immediately. */
  role?: 'status' | 'alert';
  /** Buttons and links. */
  actions?: Child;
  children: Child;
}

/** A strip across the page: an outcome, or a problem that needs a person. */
export function Notice({ tone, role, actions, children }: NoticeProps) {
  return (
    <div class={`notice line ${tone ?? ''}`} role={role}>
      <div class="grow">{children}</div>
      {actions}
    </div>
  );
}

/** The text of a page or panel without data: which data will appear, and what to do. */
export function Empty({ children }: { children: Child }) {
  return <div class="body muted">{children}</div>;
}

/** A short label on one thing. */
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

/** One choice of a `Seg`. */
interface SegLink {
  href: string;
  text: string;
  isChosen: boolean;
  class?: string;
}

/** A choice of one of a few values, as links. */
export function Seg({
  label,
  choices,
  isAtEnd,
}: {
  label: string;
  choices: readonly SegLink[];
  isAtEnd?: boolean;
}) {
  return (
    <nav class={isAtEnd ? 'seg push' : 'seg'} aria-label={label}>
      {choices.map(({ href, text, isChosen, class: name }) => (
        <a href={href} class={isChosen ? name : undefined} aria-current={isChosen ? 'true' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** Links to the pages before and after one of a list. Renders nothing if there are none. */
export function Pager({
  newest,
  older,
  about,
}: {
  newest?: string | false;
  older?: string | false;
  about?: Child;
}) {
  if (!newest && !older && !about) return null;
  return (
    <footer class="line">
      {about && <small class="grow">{about}</small>}
      <nav class="line push" aria-label="Pages">
        {newest && <a href={newest}>Newest</a>}
        {older && <a href={older}>Older</a>}
      </nav>
    </footer>
  );
}

/** Length of a line that nobody reads or changes, such as the stub. It is shown on one line, so that its neighbours are seen. */
const longLine = 400;

const shortenLines = (text: string): Child[] =>
  text
    .split(/(?<=\n)/)
    .map((line) => (line.length > longLine ? <span class="long-line">{line}</span> : line));

/** A text to copy, with its heading. The script shows the button and makes it work. */
export function Copy({ title, name, children }: { title?: Child; name: string; children: string }) {
  return (
    <>
      <header class="line">
        {title && <strong>{title}</strong>}
        <button type="button" class="outline secondary push" data-copy hidden>
          Copy<span class="hidden"> {name}</span>
        </button>
      </header>
      <pre tabindex={0}>{shortenLines(children)}</pre>
    </>
  );
}
