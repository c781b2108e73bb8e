import type { FileOrder, FileTime } from '../read/fileOrder.js';

/** A span of time; `until` is not part of it. Null for no limit. */
export interface Span {
  since: Date | null;
  until: Date | null;
}

/** The span of a file's dates. `lastDay` is the start of its last day, if the last date is a whole day. */
export type FileSpan = Span & { lastDay: Date | null };

/**
 * Collects the dates of a file. The result is the span in which orders that are only here are searched.
 *
 * A file may list orders or payments, and an order of April may be paid in May. If all orders have both dates, the
 * result is the intersection of both spans.
 */
export function createFileSpan() {
  const created = createWiden();
  const paid = createWiden();
  let isPaidDated = true;
  return {
    add({ createdMs, dayEndMs, paidAt }: FileOrder): void {
      if (createdMs === null) return;
      created.add({ ms: createdMs, dayEndMs });
      if (paidAt) paid.add(paidAt);
      else isPaidDated = false;
    },
    read(): FileSpan {
      const [span, other] = [created.read(), paid.read()];
      if (!isPaidDated || !span.since || !span.until || !other.since || !other.until) return span;
      const since = other.since > span.since ? other.since : span.since;
      const last = other.until < span.until ? other : span;
      return { since, until: last.until! > since ? last.until : since, lastDay: last.lastDay };
    },
  };
}

function createWiden() {
  let [sinceMs, untilMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let lastDayMs: number | null = null;
  return {
    add({ ms, dayEndMs }: FileTime): void {
      sinceMs = Math.min(sinceMs, ms);
      const endMs = dayEndMs ?? ms + 1;
      if (endMs <= untilMs) return;
      untilMs = endMs;
      lastDayMs = dayEndMs === null ? null : ms;
    },
    read(): FileSpan {
      if (untilMs < sinceMs) return { since: null, until: null, lastDay: null };
      const lastDay = lastDayMs === null ? null : new Date(lastDayMs);
      return { since: new Date(sinceMs), until: new Date(untilMs), lastDay };
    },
  };
}
