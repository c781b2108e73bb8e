import { useConsole } from '../context.js';
import { type DoneSteps, SetupSteps } from '../setup/setupSteps.js';
import { rangeParameters } from './askedRange.js';
import type { Range } from './range.js';

interface NoOrdersProps {
  mode: 'live' | 'test';
  range: Range;
  /** The range in words; see `describeRange`. */
  title: string;
  done: DoneSteps;
}

/** Takes the place of the overview's figures where a range has no orders, and says what to do next. */
export function NoOrders({ mode, range, title, done }: NoOrdersProps) {
  const { home } = useConsole();
  const other = mode === 'live' ? 'test' : 'live';
  const parameters = new URLSearchParams({ ...rangeParameters(range), mode: other });
  return (
    <>
      <p class="notice">
        No {mode} orders {title.replace(/^of/, 'in')}.{' '}
        {done.hasOrder ? (
          <>
            Choose a longer range, or look at the <a href={`${home}?${parameters}`}>{other} orders</a>.
          </>
        ) : (
          'Three steps lead to the first one:'
        )}
      </p>
      {!done.hasOrder && <SetupSteps done={done} />}
    </>
  );
}
