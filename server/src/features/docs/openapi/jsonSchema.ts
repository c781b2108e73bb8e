import { z } from 'zod';

/** A JSON Schema 2020-12. */
export type JsonSchema = Record<string, unknown>;

/** Prefix of the references to the document's named schemas. */
export const schemaBase = '#/components/schemas/';

/**
 * Converts schemas into JSON Schema 2020-12. Each describes a value before parsing. A named schema inside another one
 * becomes a reference to it.
 */
export function toJsonSchemas<Name extends string>(named: Record<Name, z.ZodType>): Record<Name, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries<z.ZodType>(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `${schemaBase}${id}`,
    override: ({ jsonSchema }) => dropSafeBounds(jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $id, $schema, ...schema }]) => [id, schema as JsonSchema]),
  ) as Record<Name, JsonSchema>;
}

/** Removes the limits of JavaScript's safe integers, which Zod adds. They are of no use to an integrator. */
function dropSafeBounds(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
