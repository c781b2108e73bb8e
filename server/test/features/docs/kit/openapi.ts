import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApi } from '../../../../src/features/docs/openapi/document.js';
import { type Answer, startTestServer } from '../../../kit/server.js';

const methods = ['get', 'post'] as const;

/** One operation of a document, loosely typed. */
export interface Operation {
  path: string;
  method: (typeof methods)[number];
  // biome-ignore lint/suspicious/noExplicitAny: a document has many shapes
  is: any;
}

/** Reads the document of a server without a demo team, so that its examples have words instead of ids. */
export async function readDocument(): Promise<OpenApi> {
  const server = await startTestServer();
  try {
    return (await server.send('GET', '/openapi.json')).body;
  } finally {
    await server.close();
  }
}

/** Lists every operation of a document. */
export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) =>
      method in item ? [{ path, method, is: (item as Record<string, unknown>)[method] }] : [],
    ),
  );
}

/** Creates checks of values against a document. They follow references and assert formats. */
export function createCheck(document: OpenApi) {
  const ajv = new Ajv2020.default({ strict: true, allowUnionTypes: true, allErrors: true });
  addFormats.default(ajv);
  // The keyword adds nothing to `oneOf`, and ajv accepts none with a mapping.
  ajv.addKeyword('discriminator');
  const named = JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/');
  ajv.addSchema({ $id: 'document', $defs: JSON.parse(named) });

  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

  /** Describes the fault of a value; empty if it has none. */
  function complaint(schema: object, value: unknown): string {
    const text = JSON.stringify(schema).replaceAll('#/components/schemas/', 'document#/$defs/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  }

  /** Describes the faults of an answer: its status, its body, and headers that are missing or not as documented. */
  function complaints(operation: Operation, answer: Answer): string[] {
    const documented = operation.is.responses[answer.status];
    if (!documented) return [`status ${answer.status} is not documented`];
    const found: string[] = [];
    for (const name of Object.keys(documented.headers)) {
      const header = document.components.headers[name as keyof typeof document.components.headers];
      const value = answer.headers.get(name);
      if (value === null) {
        if ('required' in header) found.push(`header ${name} is missing`);
        continue;
      }
      const typed = header.schema.type === 'integer' ? Number(value) : value;
      const wrong = complaint(header.schema, typed);
      if (wrong) found.push(`header ${name} ${wrong}`);
    }
    const body = documented.content?.['application/json'];
    if (!body) return answer.text === '' ? found : [...found, 'a body is not documented'];
    const wrong = complaint(body.schema, answer.body);
    return wrong ? [...found, wrong] : found;
  }

  return { complaint, complaints };
}
