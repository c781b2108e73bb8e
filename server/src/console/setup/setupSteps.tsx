import { useConsole } from '../context.js';

/** The steps of setting up a shop, each true once it is done. */
export interface DoneSteps {
  /** A page with the tag has reported, stored or refused. */
  hasTag: boolean;
  hasDomain: boolean;
  hasOrder: boolean;
}

/** The three steps to a first order, ticked as they are done. */
export function SetupSteps({ done: { hasTag, hasDomain, hasOrder } }: { done: DoneSteps }) {
  const { home } = useConsole();
  const steps = [
    { isDone: hasTag, part: 'tag', words: 'Put the tag on your pages' },
    { isDone: hasDomain, part: 'domains', words: 'Allow the domain of your pages' },
    { isDone: hasOrder, part: 'try', words: 'Place a first order' },
  ];
  return (
    <ol class="steps">
      {steps.map(({ isDone, part, words }) => (
        <li class={isDone ? 'done' : ''}>
          <a href={`${home}/setup#${part}`}>{words}</a>
          <span class="hidden">: {isDone ? 'done' : 'to do'}</span>
        </li>
      ))}
    </ol>
  );
}

/** True when nothing is left to do. */
export function isSetUp({ hasTag, hasDomain, hasOrder }: DoneSteps): boolean {
  return hasTag && hasDomain && hasOrder;
}
