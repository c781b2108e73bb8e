/** The steps of setting up a shop, each true once it is done. */
export interface DoneSteps {
  /** A page with the tag has reported, stored or refused. */
  hasTag: boolean;
  hasDomain: boolean;
  hasOrder: boolean;
}

/** The three steps to a first order, in their order. */
export function setupSteps({ hasTag, hasDomain, hasOrder }: DoneSteps) {
  return [
    { name: 'domains', words: 'Allow the domain of your shop', isDone: hasDomain },
    { name: 'tag', words: 'Put the tag on your pages', isDone: hasTag },
    { name: 'order', words: 'Place a first order', isDone: hasOrder },
  ] as const;
}
