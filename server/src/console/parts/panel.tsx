import type { Child } from 'hono/jsx';

/** The head of a page: its heading, a line beside it, and what can be done. */
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
  /** Its heading, whose id names it. */
  title?: Child;
  id?: string;
  /** A name for screen readers, where it has no heading. */
  label?: string;
  /** Content beside the heading. */
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

/** Good, wrong, or worth a look. */
export type Tone = 'good' | 'bad' | 'warn';

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

/** Leads to one of a few, of which one is chosen. */
interface SegLink {
  href: string;
  text: string;
  isChosen: boolean;
  class?: string;
}

/** A choice of one among a few, as links. */
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

/** Leads to the pages before and after one of a list. Renders nothing where there are none. */
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

/** Nobody reads or changes a longer line, such as the stub: it takes one line of the page, so that those around it are seen. */
const longLine = 400;

const shortenLines = (text: string): Child[] =>
  text
    .split(/(?<=\n)/)
    .map((line) => (line.length > longLine ? <span class="long-line">{line}</span> : line));

/** A text to copy, with its heading. The script makes the button work, and shows it. */
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
