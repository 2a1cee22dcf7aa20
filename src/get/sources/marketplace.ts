import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { Environment } from '../../core/environment.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { shown } from '../../core/schema/parsed.ts';
import { flag, type Infer, list, object, optional, type Schema, text, union } from '../../core/schema/schema.ts';
import { pathText, read } from '../../core/schema/schema-reader.ts';
import { grouped } from '../../core/text/text.ts';
import { leadsHere } from './addresses.ts';
import { extractArchive } from './archives/archive.ts';
import { checkPinned, integrityOf } from './archives/archive-source.ts';
import type { AskingNewest, Fetching, Found } from './fetching.ts';
import { openFolder } from './folder.ts';
import { newestOfGit, openRepository, originOf } from './git.ts';
import { foldedPath, partsOf, problemWithPath } from './names.ts';
import { packFrom } from './npm.ts';
import { parseSource } from './parse.ts';
import { Placer, refusal } from './placer.ts';
import { isBelow, skillFoldersIn, type Tree, takeFolders } from './tree.ts';
import type { FetchedSkill, Origin, RefusedSkill, Source } from './types.ts';
import { download, downloadText } from './web/http.ts';

/** Files of marketplaces of Claude Code, Codex, Cursor and Copilot; an extension of Gemini is a marketplace of itself. */
const files = [
  '.claude-plugin/marketplace.json',
  '.agents/plugins/marketplace.json',
  '.agents/plugins/api_marketplace.json',
  '.cursor-plugin/marketplace.json',
  '.github/plugin/marketplace.json',
  'marketplace.json',
];
const geminiFile = 'gemini-extension.json';

/** Files in which a plugin may describe itself. */
const manifests = [
  '.codex-plugin/plugin.json',
  '.claude-plugin/plugin.json',
  '.cursor-plugin/plugin.json',
  'plugin.json',
];

const open = { open: true } as const;
const paths = list(text(), undefined, { single: true });

const placeSchema = object(
  {
    source: text(),
    repo: optional(text()),
    url: optional(text()),
    path: optional(text()),
    ref: optional(text()),
    sha: optional(text()),
    package: optional(text()),
    version: optional(text()),
  },
  undefined,
  open,
);
const pluginSchema = object(
  {
    name: text(undefined, { min: 1, max: 128 }),
    source: optional(union(text(), placeSchema)),
    skills: optional(paths),
    strict: optional(flag()),
  },
  undefined,
  open,
);
const marketplaceSchema = object(
  { metadata: optional(object({ pluginRoot: optional(text()) }, undefined, open)), plugins: list(pluginSchema) },
  undefined,
  open,
);
const manifestSchema = object({ skills: optional(paths) }, undefined, open);
const extensionSchema = object({ name: text(undefined, { min: 1, max: 128 }) }, undefined, open);

type Plugin = Infer<typeof pluginSchema>;

/** A marketplace: its plugins, and the tree that they may lie in. */
interface Marketplace {
  readonly plugins: readonly Plugin[];
  readonly pluginRoot: string;
  readonly origin: Origin;
  /** The tree that the paths of plugins count from; null where only the file is there. */
  readonly tree: Opened | null;
  readonly root: string;
}

/** A tree that is open, and how its folders are fetched again. */
interface Opened {
  readonly tree: Tree;
  readonly originOf: (path: string) => Origin;
}

/** Fetches the skills of a marketplace's plugins, or of one of them: each on its own, from wherever it lies. */
export async function fetchMarketplace(source: Source, fetching: Fetching): Promise<Found> {
  const marketplace = await openMarketplace(source, fetching);
  const wanted = marketplace.plugins.filter(({ name }) => source.plugin === undefined || name === source.plugin);
  if (wanted.length === 0) throw noPlugin(source, marketplace);
  const skills: FetchedSkill[] = [];
  const refused: RefusedSkill[] = [];
  let { bytes, entries } = fetching.limits;
  const names = new Set<string>();
  for (const [at, plugin] of wanted.entries()) {
    fetching.signal?.throwIfAborted();
    fetching.onProgress?.({ what: `Fetching plugins of ${source.text}`, done: at, total: wanted.length });
    try {
      // Each has a folder by its name.
      const before = names.size;
      if (names.add(foldedPath(plugin.name)).size === before) {
        throw refusal(source.text, plugin.name, 'the marketplace has another plugin of this name');
      }
      const limits = { ...fetching.limits, bytes, entries };
      const taken = await fetchPlugin(plugin, marketplace, source, {
        ...fetching,
        limits,
        work: join(fetching.work, String(at)),
      });
      skills.push(...taken.skills);
      refused.push(...taken.refused);
      [bytes, entries] = [bytes - taken.bytes, entries - taken.entries];
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      refused.push({ name: shown(plugin.name).slice(1, -1), path: '', reason: reasonOf(error) });
    }
  }
  const [first] = refused;
  if (skills.length === 0 && first !== undefined)
    throw new SkillError('unreadable', `${source.text}: ${first.name}: ${first.reason}`);
  return { origin: marketplace.origin, skills, refused };
}

/** The state of the marketplace itself: its plugins have origins of their own, by which they are asked for. */
export async function newestOfMarketplace(source: Source, asking: AskingNewest): Promise<Origin> {
  const { within, text: spelling } = source;
  if (within?.kind === 'git') return { ...(await newestOfGit(within, asking)), kind: 'marketplace', source: spelling };
  const { origin } = await openMarketplace(source, { ...asking, files: join(asking.work, 'files') });
  return origin;
}

function noPlugin({ text: spelling, plugin = '' }: Source, { plugins }: Marketplace): SkillError {
  const some = plugins.slice(0, 10).map(({ name }) => shown(name).slice(1, -1));
  return new SkillError('not-found', `${spelling}: the marketplace has no plugin ${shown(plugin)}`, {
    ...(some.length > 0 && { hint: `It has ${some.join(', ')}${plugins.length > some.length ? ' and more' : ''}.` }),
  });
}

async function openMarketplace(source: Source, fetching: Fetching): Promise<Marketplace> {
  const { within, place, text: spelling } = source;
  if (within === undefined && /^https?:\/\//i.test(place)) {
    const { content, url, integrity } = await downloadText(place, fetching);
    const origin: Origin = { kind: 'marketplace', source: spelling, url, integrity };
    return { ...pluginsIn(content, marketplaceSchema, spelling, fetching), origin, tree: null, root: '' };
  }
  const holder: Source = within ?? { kind: 'folder', text: spelling, place: rootOf(place) };
  const root = holder.path ?? '';
  const opened = await openTree(holder, fetching);
  const documents = await documentsIn(
    opened.tree,
    [...files, geminiFile].map((file) => posix.join(root, file)),
    fetching,
  );
  const file = files.find((one) => documents.has(posix.join(root, one)));
  const origin: Origin = { ...opened.originOf(root), kind: 'marketplace', source: spelling };
  const about = { origin, tree: opened, root };
  if (file !== undefined) {
    return { ...pluginsIn(documents.get(posix.join(root, file)), marketplaceSchema, spelling, fetching), ...about };
  }
  const extension = documents.get(posix.join(root, geminiFile));
  if (extension === undefined) {
    const hint = `Such a file is ${files[0]}, ${files[1]} or ${geminiFile}.`;
    throw new SkillError('not-found', `${spelling}: has no file of a marketplace`, { hint });
  }
  const { name } = valueIn(extension, extensionSchema, spelling);
  return { plugins: [{ name, source: './' }], pluginRoot: '', ...about };
}

/** The folder that the paths in a marketplace's file count from. */
function rootOf(file: string): string {
  const plain = file.replaceAll('\\', '/');
  const known = files.find((one) => plain.endsWith(`/${one}`) && one !== 'marketplace.json');
  return known === undefined ? dirname(file) : plain.slice(0, -known.length - 1);
}

function pluginsIn(
  content: Buffer | undefined,
  schema: typeof marketplaceSchema,
  what: string,
  { limits }: AskingNewest,
): Pick<Marketplace, 'plugins' | 'pluginRoot'> {
  const { plugins, metadata } = valueIn(content, schema, what);
  if (plugins.length > limits.listed)
    throw new SkillError('unreadable', `${what}: lists more than ${grouped(limits.listed)} plugins`);
  return { plugins, pluginRoot: metadata?.pluginRoot ?? '' };
}

function valueIn<T>(content: Buffer | undefined, schema: Schema<T>, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(content?.toString('utf8').replace(/^\ufeff/, '') ?? '');
  } catch {
    throw new SkillError('unreadable', `${what}: its file is not JSON`);
  }
  const reading = read(schema, value, 'data', 1);
  if (reading.ok) return reading.value;
  const [{ path, message }] = reading.issues;
  throw new SkillError('unreadable', `${what}: its file is wrong: ${pathText(path)} ${message}`);
}

/** Reads small files of a tree. */
async function documentsIn(
  tree: Tree,
  wanted: readonly string[],
  { work, limits }: Fetching,
): Promise<ReadonlyMap<string, Buffer>> {
  const set = new Set(wanted);
  const entries = tree.entries.filter(({ path, kind }) => kind === 'file' && set.has(path));
  const folder = join(work, `documents-${Math.random().toString(36).slice(2)}`);
  const placer = new Placer(folder, {
    what: 'documents',
    limits: { ...limits, fileBytes: limits.documentBytes },
    onProblem: () => undefined,
  });
  await tree.place(entries, placer);
  return new Map(entries.map(({ path }) => [path, readFileSync(join(folder, path))]));
}

async function openTree(source: Source, fetching: Fetching): Promise<Opened> {
  if (source.kind === 'git') {
    const repository = await openRepository(source, fetching);
    return { tree: repository, originOf: (path) => originOf(repository, path) };
  }
  if (source.kind === 'folder') {
    const tree = openFolder(source.place, source.text, fetching.limits);
    return { tree, originOf: (path) => ({ kind: 'folder', source: source.text, url: tree.folder, path }) };
  }
  return await openArchive(source, fetching);
}

/** Unpacks an archive or a package whole, and takes it as a folder. */
async function openArchive(source: Source, fetching: Fetching): Promise<Opened> {
  const { work, limits, signal } = fetching;
  mkdirSync(work, { recursive: true });
  const packed = source.kind === 'npm' ? await packFrom(source, fetching) : null;
  const file = packed?.file ?? join(work, 'archive');
  const got = packed === null ? await download(source.place, file, fetching) : null;
  const origin: Origin = packed?.origin ?? {
    kind: 'archive',
    source: source.text,
    ...(got !== null && { url: got.url }),
    integrity: await integrityOf(file),
  };
  checkPinned(source.text, origin.integrity, undefined);
  const folder = join(work, 'unpacked');
  const placer = new Placer(folder, {
    what: source.text,
    limits,
    onProblem: ({ path, reason }) => {
      throw refusal(source.text, path, reason);
    },
  });
  await extractArchive(file, placer, limits, signal);
  return { tree: openFolder(folder, source.text, limits), originOf: (path) => ({ ...origin, path }) };
}

interface FetchedPlugin {
  readonly skills: readonly FetchedSkill[];
  readonly refused: readonly RefusedSkill[];
  readonly bytes: number;
  readonly entries: number;
}

async function fetchPlugin(
  plugin: Plugin,
  marketplace: Marketplace,
  source: Source,
  fetching: Fetching,
): Promise<FetchedPlugin> {
  const { name } = plugin;
  const reason = name.includes('/') ? 'its name has a slash' : problemWithPath(name, fetching.limits);
  if (reason !== null) throw refusal(source.text, name, reason);
  mkdirSync(fetching.work, { recursive: true });
  const { opened, root } = await placeOf(plugin, marketplace, fetching);
  const folders = await foldersOf(plugin, opened.tree, root, fetching);
  if (folders.length === 0) return { skills: [], refused: [], bytes: 0, entries: 0 };
  const about = { what: `${source.text}, plugin ${name}`, name, limits: fetching.limits };
  const taken = await takeFolders(opened.tree, folders, join(fetching.files, name), about);
  const market = source.plugin === undefined ? source.text : source.text.replace(/^plugin:[^@]*@/, 'marketplace:');
  const moved = (path: string): string => (path === '' ? name : `${name}/${path}`);
  return {
    ...taken,
    refused: taken.refused.map((one) => ({ ...one, path: moved(one.path) })),
    skills: taken.skills.map((skill) => ({
      ...skill,
      path: moved(skill.path),
      plugin: name,
      origin: { ...opened.originOf(skill.path), plugin: name, marketplace: market },
    })),
  };
}

/** Opens what a plugin lies in: the marketplace itself, or a source of its own. */
async function placeOf(
  { name, source: given = `./${name}` }: Plugin,
  { tree, root, pluginRoot, origin }: Marketplace,
  fetching: Fetching,
): Promise<{ opened: Opened; root: string }> {
  const local =
    typeof given === 'string' ? given : ['local', 'directory', 'file'].includes(given.source) ? given.path : undefined;
  if (local !== undefined) {
    if (tree === null)
      throw new SkillError('unreadable', 'it lies beside the file of the marketplace, which was fetched alone');
    const base = /^\.{0,2}\//.test(local) || local === '.' ? root : posix.join(root, pluginRoot);
    return { opened: tree, root: insideOf(posix.join(base, local)) };
  }
  const source = pluginSource(given as Infer<typeof placeSchema>, fetching.environment);
  if (leadsHere(source.place, origin.url)) {
    throw new SkillError('denied', `it comes from ${shown(source.text)}, which is this machine itself`);
  }
  if (fetching.offline)
    throw new SkillError('unavailable', 'it lies on another machine, and the network is not to be used');
  return { opened: await openTree(source, { ...fetching, pinned: undefined }), root: source.path ?? '' };
}

/** A path in a tree, which must not lead out of it. */
function insideOf(path: string): string {
  const plain = partsOf(posix.normalize(path)).join('/');
  if (plain.startsWith('..') || path.startsWith('/'))
    throw new SkillError('unreadable', `its folder ${shown(path)} leads out of the marketplace`);
  return plain;
}

type Placed = Infer<typeof placeSchema>;

/** Our spelling of the sources that a marketplace can name. */
const spellings: Readonly<Record<string, (given: Placed) => string | undefined>> = {
  github: ({ repo, path = '' }) => (repo === undefined ? undefined : `github:${posix.join(repo, path)}`),
  git: ({ url, path }) => gitSpelling(url, path),
  url: ({ url, path }) => gitSpelling(url, path),
  'git-subdir': ({ url, path }) => gitSpelling(url, path),
  npm: ({ package: name, version }) =>
    name === undefined ? undefined : `npm:${name}${version === undefined ? '' : `@${version}`}`,
  archive: ({ url }) => (url !== undefined && /^https?:/i.test(url) ? url : undefined),
};

function gitSpelling(url: string | undefined, path: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const isShort = /^[\w.-]+\/[\w.-]+$/.test(url);
  const address = isShort ? `github:${url}` : /^https?:/i.test(url) ? `git+${url}` : url;
  return path === undefined
    ? address
    : `${isShort ? address : address.replace(/(?:\.git)?\/?$/, '.git')}/${path.replace(/^(?:\.?\/)+/, '')}`;
}

function pluginSource(given: Placed, environment: Environment): Source {
  const spelling = Object.hasOwn(spellings, given.source) ? spellings[given.source]?.(given) : undefined;
  if (spelling === undefined)
    throw new SkillError('unreadable', `it comes from ${shown(given.source)}, which is not supported`);
  const ref = given.source === 'npm' ? undefined : (given.sha ?? given.ref);
  const source = parseSource(spelling, environment, given.source === 'archive' ? undefined : ref);
  // A stranger's file must not have us read what lies on this machine.
  if (source.kind === 'folder' || /^(?:file:|[/\\]|[a-z]:[\\/])/i.test(source.place)) {
    throw new SkillError('unreadable', `it comes from ${shown(source.text)}, which lies on this machine`);
  }
  return source;
}

/** The folders of a plugin's skills: those in `skills/` and those that it lists; a plugin without either may be one itself. */
async function foldersOf(plugin: Plugin, tree: Tree, root: string, fetching: Fetching): Promise<readonly string[]> {
  const own = plugin.strict === false ? undefined : await manifestOf(tree, root, fetching);
  const listed = [...(plugin.skills ?? []), ...(own?.skills ?? [])].map((path) => insideOf(posix.join(root, path)));
  const sharesRoot = typeof plugin.source === 'string' && /^\.?\/?$/.test(plugin.source);
  const below = (places: readonly string[]): readonly string[] => {
    const found = tree.entries.filter(
      ({ path }) => isBelow(root, path) && places.some((place) => isBelow(place, path)),
    );
    return skillFoldersIn(found.map(({ path }) => path));
  };
  const complete = sharesRoot && plugin.skills !== undefined ? below(listed) : [];
  if (complete.length > 0) return complete;
  const folders = below([posix.join(root, 'skills'), ...listed]);
  return folders.length > 0 ? folders : below([root]).filter((path) => path === root);
}

async function manifestOf(
  tree: Tree,
  root: string,
  fetching: Fetching,
): Promise<Infer<typeof manifestSchema> | undefined> {
  const places = manifests.map((file) => posix.join(root, file));
  const documents = await documentsIn(tree, places, fetching);
  const found = places.find((place) => documents.has(place));
  return found === undefined ? undefined : valueIn(documents.get(found), manifestSchema, found);
}
