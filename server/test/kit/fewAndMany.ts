/** The two forms of a property: with a tenth of the examples, and with all of them under the tag `all`. */
export const fewAndMany = (examples: number) => [
  { numRuns: Math.ceil(examples / 10), tags: [] },
  { numRuns: examples, tags: ['all'] },
];
