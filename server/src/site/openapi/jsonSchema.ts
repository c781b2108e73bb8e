import { z } from 'zod';

/** A JSON Schema 2020-12, as far as this server looks into one. */
export type JsonSchema = Record<string, unknown>;

/**
 * Writes schemas as JSON Schema 2020-12, each as what may be sent rather than what parsing makes of it. One
 * that holds another named one refers to it, as `<base><name>`.
 * @param base what a name stands behind in references, such as `#/components/schemas/`
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

/** Zod's own bounds of a whole number are those of JavaScript and tell an integrator nothing. */
function dropSafeBounds(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
