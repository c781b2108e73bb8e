import type { JsonSchema } from './jsonSchema.js';

/** Schemas of the contract's answers, by the name of their type. The build writes them from the contract. */
export const answerSchemas: Record<string, JsonSchema>;
