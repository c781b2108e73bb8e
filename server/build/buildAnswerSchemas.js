import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * A JSON Schema 2020-12.
 * @typedef {Record<string, any>} Schema
 * @typedef {Map<string, ts.TypeNode | undefined>} Parameters types by the names that they have in a declaration
 */

/** The schemas of the OpenAPI document that are types of the contract. Where one occurs in another it is a reference. */
const names = [
  'Product',
  'PlainProduct',
  'MeetingProduct',
  'MembershipProduct',
  'WebinarProduct',
  'EventProduct',
  'OptionGroup',
  'Variant',
  'Enrollment',
  'Order',
  'Refund',
  'PlacedOrder',
  'Touch',
  'OrderRefund',
  'EnrolledPerson',
  'MergedOrder',
  'StoppedOrders',
  'BegunRefusals',
  'OrderEvent',
  'MergedOrderEvent',
  'EnrollmentEvent',
  'StoppedOrdersEvent',
  'BegunRefusalsEvent',
  'TestEvent',
  'Failure',
  'Issue',
];
/** Schemas that the document has from elsewhere: the server's own check of requests. */
const others = ['LineItem'];

const contract = new URL('../../sdk/src/contract/', import.meta.url);

/** Types and interfaces of the contract by name. Reading their syntax alone takes a tenth of the type checker's time. */
const declared = new Map(
  readdirSync(contract)
    .flatMap((file) => {
      const text = readFileSync(new URL(file, contract), 'utf8');
      const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
      return statements.filter((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one));
    })
    .map((declaration) => [declaration.name.text, declaration]),
);

/**
 * Writes the answers of the contract as JSON Schemas, which is what `#answerSchemas` imports. The comment of a field is
 * its description, and tags such as `@minimum` are keywords. Throws for syntax that no answer had so far.
 * @param {string} outfile
 */
export function buildAnswerSchemas(outfile) {
  const schemas = Object.fromEntries(names.map((name) => [name, declaredSchema(name)]));
  writeFileSync(outfile, `export const answerSchemas = ${JSON.stringify(schemas)};\n`);
}

/** @param {string} name */
function declarationOf(name) {
  const declaration = declared.get(name);
  if (!declaration) throw new Error(`The contract has no ${name}.`);
  return declaration;
}

/** @param {string} name @param {readonly ts.TypeNode[]} [given] its type arguments @returns {Schema} */
function declaredSchema(name, given = []) {
  const declaration = declarationOf(name);
  const parameters = new Map(declaration.typeParameters?.map((one, n) => [one.name.text, given[n]]));
  if (ts.isInterfaceDeclaration(declaration)) return objectSchema(membersOf(declaration), parameters);
  const { discriminator, ...keywords } = keywordsOf(declaration);
  const schema = schemaOf(declaration.type, parameters);
  return discriminator ? tellApart(schema.anyOf, discriminator) : { ...schema, ...keywords };
}

/** @param {ts.InterfaceDeclaration} declaration @returns {ts.TypeElement[]} */
function membersOf({ heritageClauses, members }) {
  const bases = heritageClauses?.flatMap(({ types }) =>
    types.map((type) => declarationOf(type.expression.getText())),
  );
  const inherited = bases?.filter(ts.isInterfaceDeclaration).flatMap(membersOf);
  return [...(inherited ?? []), ...members];
}

/**
 * Names the kinds of a union, which generators of languages without literal types need.
 * @param {Schema[]} kinds
 * @param {string} propertyName
 */
function tellApart(kinds, propertyName) {
  const mapping = kinds.flatMap(({ $ref }) => {
    const { properties } = declaredSchema($ref.split('/').at(-1));
    return properties[propertyName].enum.map((/** @type {string} */ value) => [value, $ref]);
  });
  return { oneOf: kinds, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}

/** @param {readonly ts.TypeElement[]} members @param {Parameters} parameters @returns {Schema} */
function objectSchema(members, parameters) {
  const fields = members.filter(ts.isPropertySignature).map((field) => {
    const schema = schemaOf(field.type, parameters);
    return {
      name: field.name.getText(),
      isRequired: !field.questionToken,
      // Generators of clients ignore what stands beside a reference, or fail.
      schema: '$ref' in schema ? schema : { ...schema, ...keywordsOf(field) },
    };
  });
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

/** @param {ts.TypeNode | undefined} type @param {Parameters} parameters @returns {Schema} */
function schemaOf(type, parameters) {
  if (!type) throw new Error('A field of the contract has no type.');
  const text = type.getText();
  if (['string', 'number', 'boolean', 'null'].includes(text)) return { type: text };
  if (text === 'false') return { type: 'boolean', const: false };
  if (text === 'Record<string, unknown>') return { type: 'object', additionalProperties: {} };
  if (ts.isArrayTypeNode(type)) return { type: 'array', items: schemaOf(type.elementType, parameters) };
  if (ts.isTypeLiteralNode(type)) return objectSchema(type.members, parameters);
  if (ts.isUnionTypeNode(type)) return unionSchema(type.types.map((one) => schemaOf(one, parameters)));
  // An enum of one: generators that know OpenAPI 3.0 ignore `const`, and then cannot tell the kinds apart.
  if (ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal))
    return { type: 'string', enum: [type.literal.text] };
  if (!ts.isTypeReferenceNode(type)) throw new Error(`The contract’s ${text} has no schema yet.`);
  const name = type.typeName.getText();
  if (parameters.has(name)) return schemaOf(parameters.get(name), new Map());
  const isNamed = [...names, ...others].includes(name);
  return isNamed ? { $ref: `#/components/schemas/${name}` } : declaredSchema(name, type.typeArguments);
}

/** @param {Schema[]} parts @returns {Schema} */
function unionSchema(parts) {
  if (parts.every((part) => part.enum)) return { type: 'string', enum: parts.flatMap((part) => part.enum) };
  const isPlain = parts.every((part) => Object.keys(part).join() === 'type');
  return isPlain ? { type: parts.map((part) => part.type) } : { anyOf: parts };
}

/** Reads the comment of a field or a type, and its tags. @param {ts.Node} node @returns {Schema} */
function keywordsOf(node) {
  const [comment] = ts.getJSDocCommentsAndTags(node);
  const description = ts.getTextOfJSDocComment(comment?.comment)?.replaceAll('\n', ' ');
  const tags = ts.getJSDocTags(node).map((tag) => {
    // The parser reads `@type {integer}` as a type of its own.
    if (ts.isJSDocTypeTag(tag)) return ['type', tag.typeExpression.type.getText()];
    const value = ts.getTextOfJSDocComment(tag.comment);
    return [tag.tagName.text, tag.tagName.text === 'minimum' ? Number(value) : value];
  });
  return { ...(description && { description }), ...Object.fromEntries(tags) };
}
