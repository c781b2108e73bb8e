import type { Child } from 'hono/jsx';
import { Time } from './elements.js';
import type { Tone } from './panel.js';

/** The event, or the task. */
export interface TimelineStep {
  title: Child;
  tone?: Tone | undefined;
  /** Null where it is not known. */
  at?: Date | null;
  /** A word in place of a time. */
  badge?: Child;
  content?: Child;
}

/** Steps one below the other: done, to look at, or neither. */
export function Timeline({ steps, label }: { steps: readonly TimelineStep[]; label?: string }) {
  return (
    <ol class="timeline body" aria-label={label}>
      {steps.map(({ title, tone, at, badge, content }) => (
        <li class={tone}>
          <strong>{title}</strong> {at && <Time at={at} />} {badge}
          {content && <div class="muted">{content}</div>}
        </li>
      ))}
    </ol>
  );
}
