import type { JsonSchema } from './jsonSchema.js';

/** The answers of the contract by the name of their type, which the build writes from the contract. */
export const answerSchemas: Record<string, JsonSchema>;
