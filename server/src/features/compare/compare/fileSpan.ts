import type { FileOrder, FileTime } from '../read/fileOrder.js';

/** A span of time, without its end. Null without a limit. */
export interface Span {
  since: Date | null;
  until: Date | null;
}

/** The span of a file's dates, and the day with which it ends, if its last dates are whole days. */
export type FileSpan = Span & { lastDay: Date | null };

/**
 * Collects the dates of a file, in which orders that are only here are looked for. A file may be that of orders or of payments
 * of a month, and a transfer of April is paid in May: of two dates the span is what both have in common.
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
