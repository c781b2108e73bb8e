import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { built } from './built.js';
import { root } from './freshness.js';
import { checkTypes, projects } from './typecheck.js';

// The types of `@orderbeacon/sdk` are in its `dist`.
await built('sdk');

it.each(projects)('the types of %s fit', async (project) => {
  expect(await checkTypes(project)).toBe('');
});

it('every file has the style that Biome checks', () => {
  const { stdout, stderr, status } = spawnSync('node_modules/.bin/biome', ['check', '.'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
});
