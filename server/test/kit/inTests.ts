import { existsSync, readdirSync } from 'node:fs';
import type { Feature } from '../../src/host/host.js';

/** A variant of a feature for servers of tests, such as one without time limits. */
export interface FormInTests {
  of: Feature;
  inTests: Feature;
}

const folder = new URL('../features/', import.meta.url);

/** Replaces the features that have a variant for tests. Each is the `form` of `test/features/<name>/kit/inTests.ts`. */
export async function inTests(list: readonly Feature[]): Promise<readonly Feature[]> {
  const files = readdirSync(folder)
    .map((name) => new URL(`${name}/kit/inTests.ts`, folder))
    .filter((file) => existsSync(file));
  const forms: FormInTests[] = await Promise.all(
    files.map(async (file) => (await import(/* @vite-ignore */ file.pathname)).form),
  );
  return list.map((feature) => forms.find((form) => form.of === feature)?.inTests ?? feature);
}
