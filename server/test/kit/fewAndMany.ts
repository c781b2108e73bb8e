/** Returns two forms of a property: a tenth of the examples, and all of them with the tag `all`. */
export const fewAndMany = (examples: number) => [
  { numRuns: Math.ceil(examples / 10), tags: [] },
  { numRuns: examples, tags: ['all'] },
];
