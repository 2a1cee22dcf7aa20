import { sep } from 'node:path';
import { type Diagnostic, type DiagnosticCode, diagnostic } from '../core/diagnostics.ts';
import { entriesOf, isAbsent, isThere, realPathOf, remedyFor, statOf } from '../core/disk/files.ts';
import { isInside } from '../core/disk/paths.ts';
import { addTo } from '../core/maps.ts';
import type { Slicer } from '../core/time-slice.ts';
import { type Listing, listingOf } from './listing.ts';
import type { GivenNames } from './project-skills.ts';
import type { RootCache } from './root-cache.ts';
import { categoryDepth, type Root } from './roots.ts';

/** Folders one root may have before the walk stops: far above real trees, low enough to end. */
const folderLimit = 250_000;

/** A folder that holds a SKILL.md. */
export interface FoundSkill {
  /** The folder as reached through the root. */
  readonly dir: string;
  readonly real: string;
  readonly fileName: string;
  /** The real path of the file; differs from `real/fileName` only for a link that stays inside. */
  readonly realFile: string;
}

/** The state that all roots of one scan share. */
export interface WalkContext {
  /** Real folders already seen, with the levels walked below them: each is entered once. */
  readonly visited: Map<string, number>;
  /** Real folders that further paths lead to, with those paths. */
  readonly aliases: Map<string, string[]>;
  readonly diagnostics: Diagnostic[];
  readonly slicer: Slicer;
  readonly found: FoundSkill[];
  /** Folders that bring a Claude plugin manifest, in roots where that makes them plugins: real path to path. */
  readonly plugins: Map<string, string>;
  /** Names that a project's manifest gives to folders. */
  readonly names?: GivenNames | undefined;
}

interface Folder {
  readonly dir: string;
  readonly real: string;
  readonly depth: number;
  /** The real folder of the nearest skill around it. */
  readonly skill: string | null;
}

interface Walk extends WalkContext {
  /** Whether the folder was seen before, from further down. */
  readonly isAgain: boolean;
  readonly root: Root;
  readonly realRoot: string;
  readonly cache: RootCache;
  /** The folders still to be visited, as a stack: the last one in is the first one out. */
  readonly rest: Folder[];
}

/** Walks one root, whose real path is given, in order of names. Returns the skills found. */
export async function walkRoot(
  root: Root,
  real: string,
  cache: RootCache,
  context: WalkContext,
): Promise<FoundSkill[]> {
  const walk: Walk = {
    ...context,
    isAgain: false,
    root,
    realRoot: real,
    cache,
    rest: [{ dir: root.path, real, depth: 0, skill: null }],
  };
  let entered = 0;
  for (let folder = walk.rest.pop(); folder !== undefined; folder = walk.rest.pop()) {
    const left = root.depth - folder.depth;
    const before = walk.visited.get(folder.real);
    if (before !== undefined && before >= left) {
      noteAlias(folder.real, folder.dir, walk);
      continue;
    }
    walk.visited.set(folder.real, left);
    // A deeper walk than before: only what lies further down is new, and the rest is not found or noted again.
    const seen = before === undefined ? walk : { ...walk, found: [], diagnostics: [], isAgain: true };
    if (++entered > folderLimit) {
      const message = `more than ${folderLimit} folders; the rest is not searched`;
      note(walk, 'walk-limit', root.path, message, 'Name a smaller folder with --skill-dir.');
      break;
    }
    visit(folder, seen);
    if (walk.slicer.isDue) await walk.slicer.pause();
  }
  return walk.found.splice(0);
}

/** Remembers a further path to a folder that is searched already. */
export function noteAlias(real: string, path: string, { aliases }: WalkContext): void {
  addTo(aliases, real, path);
}

function visit(folder: Folder, walk: Walk): void {
  const listing = walk.cache.listing(folder.real, () => listFolder(folder, walk));
  if (listing === null) return;
  const { dir, real, depth } = folder;
  if (walk.plugins.has(real) && walk.root.plugin === null) {
    walk.visited.delete(real); // a plugin's own roots lead there
    return;
  }
  if (
    walk.root.holdsPlugins &&
    !walk.isAgain &&
    depth > 0 &&
    listing.mayBePlugin &&
    isThere([real, '.claude-plugin', 'plugin.json'].join(sep))
  ) {
    walk.plugins.set(real, dir);
    walk.visited.delete(real); // not searched yet: the plugin decides where to search
    return;
  }
  const file = documentIn(listing, real, walk);
  const skill = file === null ? folder.skill : real;
  if (file !== null && (depth > 0 || !walk.root.belowOnly)) {
    const found = skillAt(folder, file, listing.file === null || listing.fileIsLink, walk);
    if (found !== null) walk.found.push(found);
  } else if (listing.isDisabled) {
    const message = 'the skill is switched off: its file is called .SKILL.md';
    note(walk, 'skill-disabled', `${dir}${sep}.SKILL.md`, message, 'Rename it to SKILL.md to switch it on.');
  }
  const below = childrenOf(folder, skill, listing, walk);
  for (let index = below.length - 1; index >= 0; index--) walk.rest.push(below[index] as Folder);
}

/** The file that a skill is read from: its SKILL.md, or what stands for it where a project's manifest names the folder. */
function documentIn({ file, isDisabled }: Listing, real: string, { names }: WalkContext): string | null {
  return file ?? (isDisabled ? null : (names?.get(real)?.document ?? null));
}

function listFolder({ dir, real, depth }: Folder, walk: Walk): Listing | null {
  const entries = entriesOf(real);
  if (entries.ok) return listingOf(entries.value);
  if (dir.includes('\ufffd')) {
    const remedy = 'Rename the folder; its name is not UTF-8.';
    note(walk, 'folder-unreadable', dir, 'the name of the folder cannot be read', remedy);
    return null;
  }
  const gone = isAbsent(entries.reason) && depth > 0;
  const isFile = entries.reason === 'ENOTDIR';
  const open = isFile
    ? 'Put a folder in its place, or leave it out.'
    : remedyFor(entries.reason, 'Give yourself permission to read it.');
  const remedy = gone ? 'Nothing to do if it was removed on purpose.' : open;
  const refused = isFile ? 'it is a file, not a folder' : `the folder cannot be opened (${entries.reason})`;
  const message = gone ? 'the folder vanished during the scan' : refused;
  note(walk, gone ? 'folder-vanished' : depth === 0 ? 'root-unreadable' : 'folder-unreadable', dir, message, remedy);
  return null;
}

/** The skill in a folder, unless its SKILL.md is a link that must not be followed. */
function skillAt({ dir, real }: Folder, fileName: string, isLink: boolean, walk: Walk): FoundSkill | null {
  const path = real + sep + fileName;
  if (!isLink) return { dir, real, fileName, realFile: path };
  const shown = dir + sep + fileName;
  const target = realPathOf(path);
  if (!target.ok) {
    const remedy = 'Restore the target of the link, or remove the link.';
    note(walk, 'link-dangling', shown, 'SKILL.md is a link to a file that does not exist', remedy);
    return null;
  }
  if (!isInside(real, target.value)) {
    const remedy = "Copy the file into the skill's folder, or link the whole folder instead.";
    note(walk, 'link-outside', shown, 'SKILL.md is a link to a file outside its folder; it is not read', remedy);
    return null;
  }
  return { dir, real, fileName, realFile: target.value };
}

function childrenOf({ dir, real, depth }: Folder, skill: string | null, listing: Listing, walk: Walk): Folder[] {
  const canDescend = depth < walk.root.depth;
  const child = (name: string): Folder => {
    const path = real + sep + name;
    return { dir: dir === real ? path : dir + sep + name, real: path, depth: depth + 1, skill };
  };
  const plain = canDescend ? listing.folders.map(child) : [];
  if (listing.links.length === 0) return plain;
  const linked = listing.links.map((name) => followLink(child(name), walk)).filter((one) => one !== null);
  return canDescend ? [...plain, ...linked] : plain;
}

function followLink(link: Folder, walk: Walk): Folder | null {
  const real = realPathOf(link.real);
  const stats = real.ok ? statOf(real.value) : real;
  if (!real.ok || !stats.ok) {
    noteDeadLink(link, stats.ok ? '' : stats.reason, walk);
    return null;
  }
  if (stats.value.isDirectory()) return folderBehind(link, real.value, walk);
  if (link.skill !== null && !isInside(link.skill, real.value)) {
    const message = 'a link to a file outside its skill; it is never read';
    note(walk, 'link-outside', link.dir, message, "Copy the file into the skill's folder.");
  }
  return null;
}

/** The folder behind a link, unless it leads where no skills can be meant. */
function folderBehind(link: Folder, real: string, walk: Walk): Folder | null {
  const { root, realRoot } = walk;
  if (root.container !== null && !isInside(root.container, real)) {
    const message = 'a link to a folder outside its plugin; it is not followed';
    note(walk, 'link-outside', link.dir, message, 'Report this to the author of the plugin.');
    return null;
  }
  if (isInside(realRoot, real)) return { ...link, real };
  if (real !== '/' && isInside(real, realRoot)) return null; // around this one: a loop
  if (isWholeMachine(real)) {
    noteWholeMachine(link.dir, walk);
    return null;
  }
  // The target is somebody else's tree: walked no deeper than categories go, and no longer part of a skill.
  const skill = link.skill !== null && isInside(link.skill, real) ? link.skill : null;
  return { dir: link.dir, real, depth: Math.max(link.depth, root.depth - categoryDepth), skill };
}

/** Folders that the kernel generates as they are read: endless, and never skills. */
const systemFolders = ['/proc', '/sys', '/dev'];

/** Tells whether a path is one where no link of a skill, nor a whole folder of them, can be meant to lead. */
export function isWholeMachine(real: string): boolean {
  return real === '/' || systemFolders.some((folder) => isInside(folder, real));
}

export function noteWholeMachine(path: string, { diagnostics }: Pick<WalkContext, 'diagnostics'>): void {
  const message = 'a link to /, /proc, /sys or /dev; it is not followed';
  const remedy = 'Link to the skill itself, or to the folder of skills.';
  diagnostics.push(diagnostic('link-outside', path, message, remedy));
}

/** Notes a dead link. A loop ends quietly; a missing target and a closed one are told apart. */
function noteDeadLink(link: Folder, reason: string, walk: Walk): void {
  if (isAbsent(reason)) {
    const remedy = 'Restore the target of the link, or remove the link.';
    note(walk, 'link-dangling', link.dir, 'a link whose target does not exist', remedy);
  } else if (reason !== 'ELOOP') {
    const remedy = remedyFor(reason, 'Give yourself permission to read it, or remove the link.');
    note(walk, 'folder-unreadable', link.dir, `the target of the link cannot be opened (${reason})`, remedy);
  }
}

function note(walk: Walk, code: DiagnosticCode, file: string, message: string, remedy: string): void {
  walk.diagnostics.push(diagnostic(code, file, message, remedy));
}
