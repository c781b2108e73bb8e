import { readFileSync } from 'node:fs';
import { type AnyNode, parse } from 'acorn';
import { expect, it } from 'vitest';

/**
 * The built files have to run in Chrome and Edge 80, Firefox 74, Safari 13.1 and newer. A file is parsed for syntax that
 * these lack. Each property name in it must be one that they have, or one of the SDK's.
 */

const read = (file: string) => readFileSync(new URL(`../dist/${file}`, import.meta.url), 'utf8');

/** Names that all these browsers have (MDN). `prerendering` is optional, and the SDK checks for it. */
const platform = words(`
  AbortController Array Date Error JSON Map Math Number Object Promise RegExp Set String URL Uint32Array
  abort abs add addEventListener assign btoa call catch clearTimeout console cookie credentials crypto currentScript dataset
  delete document entries error exec fetch filter flatMap forEach fromEntries get getItem getRandomValues globalPrivacyControl
  hasOwnProperty headers hidden hostname includes isArray isSafeInteger join json keepalive key keys length localStorage
  location map match max message method min name navigator newValue now origin parse pathname prerendering protocol push
  querySelector random referrer referrerPolicy replace removeItem
  request search searchParams sendBeacon setItem setTimeout signal slice some sort splice split src startsWith status stringify
  test then toJSON toString trim
`);

/** Fields of reports, records, answers and tags. In newer browsers, some of these names are functions. */
const fields = words(`
  amount at body busy code command data debug email endpoint error global items key order orderId orderbeacon orderNumber
  reportId requestId sdkVersion since landings success teamId tries value visitor visitorId final event q
`);

function words(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Collects every property name, and every called function. Methods that are called have brackets, such as `at()`. */
function namesIn(code: string): Set<string> {
  const names = new Set<string>();
  const visit = (node: AnyNode | AnyNode[] | null) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node?.type !== 'string') return;
    if (node.type === 'MemberExpression' && !node.computed && 'name' in node.property)
      names.add(node.property.name);
    if (node.type === 'Property' && !node.computed && 'name' in node.key) names.add(node.key.name);
    if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const { callee } = node;
      if (callee.type === 'Identifier') names.add(callee.name);
      if (callee.type === 'MemberExpression' && 'name' in callee.property)
        names.add(`${callee.property.name}()`);
    }
    for (const child of Object.values(node)) if (typeof child === 'object') visit(child as AnyNode);
  };
  visit(parse(code, { ecmaVersion: 2020, sourceType: 'script' }));
  return names;
}

/** @returns true for one letter: minified names, also of the SDK's own properties, have one */
const isMinified = (name: string) => name.length === 1;

const isKnown = (name: string) => {
  const method = name.endsWith('()') ? name.slice(0, -2) : undefined;
  if (method) return platform.has(method) || isMinified(method);
  return platform.has(name) || fields.has(name) || isMinified(name);
};

it('track.js has no syntax newer than ECMAScript 2020, and none of what Safari 13.1 lacks of that', () => {
  const code = read('track.js');
  expect(() => parse(code, { ecmaVersion: 2020, sourceType: 'script' })).not.toThrow();
  // BigInt literals came with Safari 14, import.meta is for modules, and lookbehind came with Safari 16.4.
  expect(code).not.toMatch(/\b\d+n\b|import\.meta|\(\?<[=!]/);
});

it('track.js uses nothing that the oldest browsers lack', () => {
  expect([...namesIn(read('track.js'))].filter((name) => !isKnown(name))).toEqual([]);
});

it.each([
  'text.replaceAll("a", "b")',
  'list.at(-1)',
  'AbortSignal.timeout(1)',
  'Object.hasOwn(a, b)',
  'structuredClone(a)',
  'crypto.randomUUID()',
])('the check sees %s', (code) => {
  expect([...namesIn(code)].every(isKnown)).toBe(false);
});
