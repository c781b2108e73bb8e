import { spawnSync } from 'node:child_process';
import { afterAll, expect, it } from 'vitest';
import { built } from './built.js';
import { root } from './freshness.js';
import { checkTypes, projects } from './typecheck.js';

// The types of `@orderbeacon/sdk` are in its `dist`.
await built('sdk');

const mistakes = checkTypes();
afterAll(() => Promise.allSettled(Object.values(mistakes)));

// The first check takes 40 s of CPU, which a busy machine stretches; nothing is measured by it.
it.each(projects)('the types of %s fit', { timeout: 1_200_000 }, async (project) => {
  expect(await mistakes[project]).toBe('');
});

it('every file has the style that Biome checks', () => {
  const { stdout, stderr, status } = spawnSync('node_modules/.bin/biome', ['check', '.'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
});
