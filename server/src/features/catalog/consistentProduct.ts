import type { z } from 'zod';

type IssuePath = (string | number)[];

/** The parts of a product that must agree. */
interface Parts {
  optionGroups: { name: string; values: { name: string }[] }[];
  skus: { variantRef?: string | undefined; options: { group: string; value: string }[] }[];
}

/**
 * Refuses a product that contradicts itself. That is one with two groups or values of the same name, two variants with
 * the same link, or an option that is in no option group.
 */
export function refuseContradictions({ optionGroups, skus }: Parts, context: z.RefinementCtx): void {
  const repeats = (names: (string | undefined)[], pathOf: (at: number) => IssuePath) =>
    refuseRepeats(names, pathOf, context);
  repeats(
    skus.map(({ variantRef }) => variantRef),
    (at) => ['skus', at, 'variantRef'],
  );
  repeats(
    optionGroups.map(({ name }) => name),
    (at) => ['optionGroups', at, 'name'],
  );
  for (const [group, { values }] of optionGroups.entries()) {
    repeats(
      values.map(({ name }) => name),
      (at) => ['optionGroups', group, 'values', at, 'name'],
    );
  }
  for (const [sku, { options }] of skus.entries()) {
    repeats(
      options.map(({ group }) => group),
      (at) => ['skus', sku, 'options', at, 'group'],
    );
  }
  // Without groups, they are made from the variants. With groups, a variant may only name these.
  if (optionGroups.length > 0) refuseUnknownOptions({ optionGroups, skus }, context);
}

/** Refuses repeated names. Missing names are not compared. */
function refuseRepeats(
  names: (string | undefined)[],
  pathOf: (at: number) => IssuePath,
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>();
  for (const [at, name] of names.entries()) {
    if (name === undefined) continue;
    if (seen.has(name)) {
      const message = `must be unique, but "${name}" occurs twice`;
      context.addIssue({ code: 'custom', path: pathOf(at), message });
    }
    seen.add(name);
  }
}

function refuseUnknownOptions({ optionGroups, skus }: Parts, context: z.RefinementCtx): void {
  const known = new Map(optionGroups.map(({ name, values }) => [name, new Set(values.map((v) => v.name))]));
  for (const [sku, { options }] of skus.entries()) {
    for (const [at, { group, value }] of options.entries()) {
      if (known.get(group)?.has(value)) continue;
      const message = `must name a group and value of optionGroups, not "${group}: ${value}"`;
      context.addIssue({ code: 'custom', path: ['skus', sku, 'options', at], message });
    }
  }
}
