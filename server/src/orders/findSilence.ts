import { dayMs, hourMs, minuteMs } from '../values/timeUnits.js';
import type { CountOrders } from './countOrders.js';

/** A span of time in milliseconds since 1970. */
export interface SpanMs {
  fromMs: number;
  toMs: number;
}

const weekMs = 7 * dayMs;

/** Weeks that a silence is compared with. */
export const weeksCompared = 4;
/** A shorter silence is none, so that a restart or a slow database tells nobody anything. */
export const leastSilenceMs = 15 * minuteMs;
/** Years in which a shop that sells at random by its own hours has a false alarm. */
const yearsPerFalseAlarm = 1_000;
const weeksPerYear = 52;
/** Orders that the last day is assumed to have had in addition, so that a few orders more or less say nothing about it. */
const orderTolerance = 10;

/**
 * Decides if a team has been silent for longer than its own hours explain. Returns the number of orders that usually would
 * have come since the last one, at least; null while the silence says nothing.
 *
 * The usual number is the median of the same hours in the four weeks before the last order, so that nights, closed days, a
 * week of a sale, and a week in which the server was down explain themselves. A new team has none before its third week.
 * Each week counts at its lowest when it is moved by an hour, and the last hour of a silence does not count, because the
 * clocks of the shop may have been changed. If the last day had fewer orders than usual, fewer are expected now.
 *
 * A shop that sells at random has no order where m are usual with the probability e^-m. So m has to be the logarithm of
 * the orders of 1,000 years: 19 for 500 orders a day, 14 for 3 a day. This is a wide bound, because real shops vary more.
 * With 500 orders a day an alarm comes within 2 hours of the day, with 20 within 2 days, with 3 mostly within 5 days and in
 * 12 days at the latest. A team with fewer than one order a day may have none. The earliest is after 15 minutes.
 * @param missed a time that does not count, because no server ran; null for none
 */
export function findSilence(
  countOrders: CountOrders,
  { lastOrderMs, nowMs, missed }: { lastOrderMs: number; nowMs: number; missed: SpanMs | null },
): number | null {
  const silentMs = Math.min(nowMs - lastOrderMs, weeksCompared * weekMs);
  if (silentMs < leastSilenceMs) return null;
  const toMs = lastOrderMs + silentMs - Math.min(hourMs, silentMs / 4);
  const lastDay = { fromMs: lastOrderMs - dayMs, toMs: lastOrderMs };
  const countUsual = (spans: readonly SpanMs[]) => countUsualOrders(countOrders, lastOrderMs, spans);
  const level =
    (countOrders(lastDay.fromMs, lastDay.toMs) + orderTolerance) / (countUsual([lastDay]) + orderTolerance);
  const usual = countUsual(leaveOut({ fromMs: lastOrderMs, toMs }, missed)) * Math.min(1, level);
  const ordersPerYear =
    (countOrders(lastOrderMs - weeksCompared * weekMs, lastOrderMs) / weeksCompared) * weeksPerYear;
  const needed = Math.log(Math.max(1, ordersPerYear) * yearsPerFalseAlarm);
  return usual >= needed ? Math.floor(usual) : null;
}

/** Counts the usual orders of some spans: the median of the four weeks before the last order, each moved to its lowest. */
function countUsualOrders(countOrders: CountOrders, lastOrderMs: number, spans: readonly SpanMs[]): number {
  const ofWeeks = Array.from({ length: weeksCompared }, (_, week) =>
    Math.min(
      ...[-hourMs, 0, hourMs].map((movedMs) =>
        sum(
          spans
            .flatMap((span) => splitByWeek(span, lastOrderMs))
            .map(({ fromMs, toMs, weeksAfter }) => {
              const shiftMs = movedMs - (week + 1 + weeksAfter) * weekMs;
              return countOrders(fromMs + shiftMs, toMs + shiftMs);
            }),
        ),
      ),
    ),
  );
  const [, second, third] = ofWeeks.sort((a, b) => a - b);
  return (second! + third!) / 2;
}

/** Splits a span where a further whole week since the last order begins, because no later orders are known. */
function splitByWeek({ fromMs, toMs }: SpanMs, lastOrderMs: number): (SpanMs & { weeksAfter: number })[] {
  return Array.from({ length: weeksCompared }, (_, weeksAfter) => {
    const startMs = lastOrderMs + weeksAfter * weekMs;
    return {
      weeksAfter,
      fromMs: weeksAfter === 0 ? fromMs : Math.max(fromMs, startMs),
      toMs: Math.min(toMs, startMs + weekMs),
    };
  }).filter((part) => part.fromMs < part.toMs);
}

/** Takes a span out of another, and returns what is left. */
function leaveOut({ fromMs, toMs }: SpanMs, missed: SpanMs | null): SpanMs[] {
  if (missed === null) return [{ fromMs, toMs }];
  return [
    { fromMs, toMs: Math.min(toMs, missed.fromMs) },
    { fromMs: Math.max(fromMs, missed.toMs), toMs },
  ].filter((span) => span.fromMs < span.toMs);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
