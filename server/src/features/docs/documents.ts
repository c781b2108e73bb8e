import { readdir, readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownPath } from '../../values/ownPath.js';

/** A document of one of the two packages. */
export interface GuideDocument {
  /** Its path in the repository, such as `server/guides/backup.md`. */
  path: string;
  /** Its address on the server, such as `docs/backup`. */
  address: string;
  /** Its first heading. */
  title: string;
  /** The first sentence of its text. */
  summary: string;
  /** Its group in the contents. */
  group: Group;
  /** Its number in the group, by which documents are read. Documents without a number follow, sorted by title. */
  order: number;
  /** The feature that it describes, which a server may lack; null if it applies to every server. */
  feature: string | null;
  /** The content of the file. */
  text: string;
}

/**
 * Headings of the contents, in their order. A guide names its group and its number in its first line: `<!-- for:
 * Operators, 2 -->`. With its feature, that is `<!-- for: Operators, 7, of: backup -->`.
 */
const groups = [
  'Guides',
  'Merchants',
  'Storefront developers',
  'Integrators',
  'Operators',
  'Recipes',
  'Changes',
] as const;

type Group = (typeof groups)[number];

/** Sorts documents into their groups. Empty groups are left out. */
export function byGroup(documents: readonly GuideDocument[]) {
  return groups
    .map((group) => ({ group, ofGroup: documents.filter((document) => document.group === group) }))
    .filter(({ ofGroup }) => ofGroup.length > 0);
}

/**
 * Folders whose files are all served, with the first part of their addresses. A file that is added to a folder is served without
 * further changes.
 */
const folders: { folder: string; address: string; group: Group }[] = [
  { folder: 'server/guides', address: 'docs', group: 'Guides' },
  { folder: 'sdk/guides', address: 'docs/sdk', group: 'Storefront developers' },
  { folder: 'sdk/recipes', address: 'docs/recipes', group: 'Recipes' },
];

/** Path, address and group of a document, and a title and a summary if its file has none. */
type DocumentPath = Pick<GuideDocument, 'path' | 'address' | 'group'> &
  Partial<Pick<GuideDocument, 'title' | 'summary'>>;

/** Addresses of documents in the root folder of their package. */
const singles: DocumentPath[] = [
  {
    path: 'sdk/README.md',
    address: 'docs/sdk',
    group: 'Storefront developers',
    title: 'The SDK',
  },
  { path: 'sdk/PRIVACY.md', address: 'docs/privacy', group: 'Storefront developers' },
  {
    path: 'sdk/CHANGELOG.md',
    address: 'docs/changes/sdk',
    group: 'Changes',
    title: 'Changes of the SDK',
    summary: 'The changes of each release, the newest first.',
  },
  {
    path: 'server/CHANGELOG.md',
    address: 'docs/changes/server',
    group: 'Changes',
    title: 'Changes of the server',
    summary: 'The changes of each release, the newest first.',
  },
];

/** Folders of the two packages, installed or in a checkout. */
const packages = {
  server: ownPath('..'),
  sdk: join(dirname(fileURLToPath(import.meta.resolve('@orderbeacon/sdk/track.js'))), '..'),
};

/** Returns the path of a file in the installed package, by its path in the repository. */
export function fileOf(path: string): string {
  const [name, ...rest] = path.split('/') as [keyof typeof packages, ...string[]];
  return join(packages[name], ...rest);
}

/** Reads all documents, except those of missing features, in the order of the contents. */
export async function readDocuments(features: readonly string[]): Promise<GuideDocument[]> {
  const inFolders = await Promise.all(
    folders.map(async ({ folder, ...rest }) =>
      (await namesIn(folder, '.md')).map((name) => ({
        path: `${folder}/${name}`,
        address: `${rest.address}/${name.slice(0, -3)}`,
        group: rest.group,
      })),
    ),
  );
  const documents = await Promise.all([...inFolders.flat(), ...singles].map(readDocument));
  const isThere = ({ feature }: GuideDocument) => feature === null || features.includes(feature);
  return documents
    .filter(isThere)
    .sort(
      (one, other) =>
        groups.indexOf(one.group) - groups.indexOf(other.group) ||
        one.order - other.order ||
        one.title.localeCompare(other.title, 'en'),
    );
}

/** Finds the pictures of the documents: their paths in the repository, and their addresses. */
export async function findPictures(): Promise<{ path: string; address: string }[]> {
  const found = folders.map(async ({ folder, address }) =>
    (await namesIn(folder, '.svg')).map((name) => ({
      path: `${folder}/${name}`,
      address: `${address}/${name}`,
    })),
  );
  return (await Promise.all(found)).flat();
}

async function namesIn(folder: string, ending: string): Promise<string[]> {
  return (await readdir(fileOf(folder))).filter((name) => extname(name) === ending);
}

async function readDocument(source: DocumentPath): Promise<GuideDocument> {
  const text = await readFile(fileOf(source.path), 'utf8');
  const [, named, nth, feature = null] =
    /^<!-- for: (.+?)(?:, (\d+))?(?:, of: (\w+))? -->\n/.exec(text) ?? [];
  return {
    title: /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? source.path,
    summary: summaryOf(text),
    order: Number(nth ?? Number.MAX_SAFE_INTEGER),
    feature,
    ...source,
    group: groups.find((group) => group === named) ?? source.group,
    text,
  };
}

/** Finds the first sentence of the first paragraph, without Markdown's marks. */
function summaryOf(text: string): string {
  const paragraphs = text.split(/\n{2,}/);
  const first = paragraphs.find((paragraph) => /^[\p{L}`*]/u.test(paragraph)) ?? '';
  const plain = first
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|\s+/g, (mark) => (mark === '**' ? '' : ' '));
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}
