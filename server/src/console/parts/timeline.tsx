import type { Child } from 'hono/jsx';
import { Time } from './elements.js';
import type { Tone } from './panel.js';

/** A step of a timeline: an event, or a task. */
export interface TimelineStep {
  title: Child;
  tone?: Tone | undefined;
  /** Time of the event; null if unknown. */
  at?: Date | null;
  /** A badge in place of a time. */
  badge?: Child;
  content?: Child;
}

/** Steps below each other. The tone of each says that it is done or needs a look. */
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
