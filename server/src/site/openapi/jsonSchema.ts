import { z } from 'zod';

/** A JSON Schema 2020-12. */
export type JsonSchema = Record<string, unknown>;

/**
 * Writes schemas as JSON Schema 2020-12. Each describes a value before parsing. A named schema inside another becomes
 * the reference `<base><name>`.
 * @param base prefix of references, such as `#/components/schemas/`
 */
export function toJsonSchemas(named: Record<string, z.ZodType>, base: string): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `${base}${id}`,
    override: ({ jsonSchema }) => dropSafeBounds(jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $id, $schema, ...schema }]) => [id, schema as JsonSchema]),
  );
}

/** Removes the bounds of JavaScript's safe integers, which Zod adds and which tell an integrator nothing. */
function dropSafeBounds(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
