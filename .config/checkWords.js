// Part of `npm run check`: the names and the comments of the code, by .github/WORDS.md.
// `node .config/checkWords.js --lower` lowers the counts of sentences in wordExceptions.json to those that it finds.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const exceptionsPath = join(root, '.config/wordExceptions.json');
const folders = ['server/src', 'sdk/src', 'sdk/client', 'server/test', 'sdk/test', 'e2e', '.config'];

/** @typedef {{ word: string[], how: string }} Rule */
/** @typedef {{ line: number, text: string }} Fault */
/** @typedef {{ names: Record<string, string>, sentences: Record<string, number> }} Exceptions */

/** @param {string} name */
const splitName = (name) =>
  name
    .replace(/[a-z\d](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, '$& ')
    .toLowerCase()
    .split(/[ _]/);

/**
 * Reads the words that names may not have: the last column of the first table.
 * @param {string} markdown
 * @returns {Rule[]}
 */
export function readRules(markdown) {
  const rows = (markdown.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return rows
    .flatMap((row) => [...(row.split('|').at(-2) ?? '').matchAll(/`(\w+)`(?: (alone|last))?/g)])
    .map(([, word = '', how = 'part']) => ({ word: splitName(word), how }));
}

/**
 * Lists the names that a file declares against the rules.
 * @param {ts.SourceFile} file
 * @param {readonly Rule[]} rules
 */
export function findNames(file, rules) {
  /** @type {Fault[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isIdentifier(node) && isDeclared(node) && rules.some((rule) => isAgainst(rule, node)))
      found.push({ line: lineOf(file, node.getStart(file)), text: node.text });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** @type {readonly ts.SyntaxKind[]} */
const uses = [
  ts.SyntaxKind.PropertyAccessExpression,
  ts.SyntaxKind.ShorthandPropertyAssignment,
  ts.SyntaxKind.ExportSpecifier,
  ts.SyntaxKind.JsxAttribute,
];

/** @param {ts.Identifier} node */
function isDeclared(node) {
  const { parent } = node;
  if (!('name' in parent) || parent.name !== node || uses.includes(parent.kind)) return false;
  // The name of an import, or of a member that is taken out of an object, is declared elsewhere.
  if (ts.isImportSpecifier(parent)) return parent.propertyName !== undefined;
  return !ts.isBindingElement(parent) || !ts.isObjectBindingPattern(parent.parent) || !!parent.propertyName;
}

/**
 * @param {Rule} rule
 * @param {ts.Identifier} node
 */
function isAgainst({ word, how }, node) {
  const parts = ` ${splitName(node.text).join(' ')} `;
  const banned = ` ${word.join(' ')} `;
  if (how === 'last') return parts.endsWith(banned);
  if (how === 'alone') return parts === banned && isSeenElsewhere(node.parent);
  return parts.includes(banned);
}

/** @param {ts.Node} declaration */
function isSeenElsewhere(declaration) {
  if (ts.isPropertySignature(declaration) || ts.isMethodSignature(declaration)) return true;
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return (
    ts.canHaveModifiers(statement) &&
    !!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

const beginnings = /^(?:What|Whether|Who|How|Told|Of|Where|True)\b/;
const phrases = /\b(?:is none|are others|at once|anew|unlike|of its own)\b/i;
const wordsAtMost = 25;

/**
 * Lists the sentences of a file's comments that are against the rules.
 * @param {ts.SourceFile} file
 */
export function findSentences(file) {
  return findComments(file).flatMap(({ line, text }) => {
    const plain = text
      .replace(/^\/(?:\*+|\/)|\*\/$|^\s*(?:\*|\/\/) ?/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
    const [phrase] = phrases.exec(plain) ?? [];
    const faults = phrase ? [{ line, text: `has "${phrase}"` }] : [];
    if (!text.startsWith('/**') || plain.startsWith('@')) return faults;
    const [beginning] = beginnings.exec(plain) ?? [];
    if (beginning) faults.push({ line, text: `begins with "${beginning}"` });
    const [first = ''] = plain.split(/(?<=[.:;?!]) (?=[A-Z`])| @(?:param|returns|throws|type)/, 1);
    const { length } = first.split(' ');
    if (length > wordsAtMost) faults.push({ line, text: `has ${length} words in its first sentence` });
    return faults;
  });
}

/**
 * Lists all comments of a file.
 * @param {ts.SourceFile} file
 */
function findComments(file) {
  const { text } = file;
  /** @type {Map<number, number>} */
  const ends = new Map();
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isJsxText(node)) return;
    // After a tag of JSX comes text, which may look like a comment.
    const isTag = [node, node.parent].some((each) => each && ts.SyntaxKind[each.kind]?.startsWith('Jsx'));
    const after = isTag ? [] : ts.getTrailingCommentRanges(text, node.end);
    for (const { pos, end } of [...(ts.getLeadingCommentRanges(text, node.pos) ?? []), ...(after ?? [])])
      ends.set(pos, end);
    for (const child of node.getChildren(file)) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(file);
  return [...ends].map(([pos, end]) => ({ line: lineOf(file, pos), text: text.slice(pos, end) }));
}

/**
 * @param {ts.SourceFile} file
 * @param {number} pos
 */
const lineOf = (file, pos) => file.getLineAndCharacterOfPosition(pos).line + 1;

/**
 * Compares the found names and sentences with the exceptions. Lists every difference.
 * @param {Record<string, { names: Fault[], sentences: Fault[] }>} found by the paths of files
 * @param {Exceptions} exceptions
 */
export function judge(found, { names, sentences }) {
  const excepted = new Set(Object.keys(names));
  const used = new Set(Object.values(found).flatMap((file) => file.names.map(({ text }) => text)));
  const complaints = [...excepted]
    .filter((name) => !used.has(name))
    .map((name) => `The exception ${name} of .config/wordExceptions.json is not needed any more.`);
  for (const path of new Set([...Object.keys(found), ...Object.keys(sentences)])) {
    const { [path]: file = { names: [], sentences: [] } } = found;
    const { [path]: known = 0 } = sentences;
    for (const { line, text } of file.names)
      if (!excepted.has(text))
        complaints.push(`${path}:${line} names something ${text}. See .github/WORDS.md.`);
    if (file.sentences.length > known)
      for (const { line, text } of file.sentences)
        complaints.push(`${path}:${line} ${text}, of which ${known} may. See .github/WORDS.md.`);
    if (file.sentences.length < known)
      complaints.push(
        `${path} has ${file.sentences.length} such sentences, not ${known}: node .config/checkWords.js --lower`,
      );
  }
  return complaints;
}

/**
 * @param {string} path
 * @param {string} text
 */
export const parse = (path, text) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

function main() {
  const rules = readRules(readFileSync(join(root, '.github/WORDS.md'), 'utf8'));
  /** @type {Exceptions} */
  const exceptions = JSON.parse(readFileSync(exceptionsPath, 'utf8'));
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
    cwd: root,
    encoding: 'utf8',
  });
  const found = Object.fromEntries(
    listed
      .split('\n')
      .filter((path) => /\.(?:tsx?|m?js)$/.test(path) && existsSync(join(root, path)))
      .map((path) => {
        const file = parse(path, readFileSync(join(root, path), 'utf8'));
        return [path, { names: findNames(file, rules), sentences: findSentences(file) }];
      }),
  );
  if (process.argv.includes('--lower')) {
    for (const [path, known] of Object.entries(exceptions.sentences)) {
      const count = Math.min(known, found[path]?.sentences.length ?? 0);
      if (count > 0) exceptions.sentences[path] = count;
      else delete exceptions.sentences[path];
    }
    writeFileSync(exceptionsPath, `${JSON.stringify(exceptions, null, 2)}\n`);
  }
  const complaints = judge(found, exceptions);
  for (const complaint of complaints) console.error(complaint);
  if (complaints.length > 0) process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) main();
