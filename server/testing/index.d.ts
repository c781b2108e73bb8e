/** The same types for `import` as for `require()`, which can name no types of an ES module. */
export * from './index.cjs';
