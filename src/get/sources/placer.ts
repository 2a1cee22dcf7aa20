import { closeSync, copyFileSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isRepository, isRepositoryPart } from '../../core/disk/git-repository.ts';
import { SkillError } from '../../core/errors.ts';
import { addTo } from '../../core/maps.ts';
import { shown } from '../../core/schema/parsed.ts';
import { sizeInWords } from '../../core/text/quantities.ts';
import { grouped } from '../../core/text/text.ts';
import type { Limits } from './limits.ts';
import { foldedPath, partsOf, problemWithPath } from './names.ts';

/** An entry that was not placed, and why. */
export interface Problem {
  readonly path: string;
  readonly reason: string;
}

/** A file that is being placed. */
export interface Sink {
  write(chunk: Uint8Array): void;
  close(): void;
}

export interface PlacerOptions {
  /** The source, for messages. */
  readonly what: string;
  readonly limits: Limits;
  /** Called with what cannot be placed. An archive is refused for one such entry; of a repository, only the skill is that holds it. */
  readonly onProblem: (problem: Problem) => void;
  /** Called with the path of each file once all of it is there. */
  readonly onFile?: (path: string) => void;
}

/** Links in a row that may lead to each other. */
const mostHops = 40;

/**
 * Places strangers' files in a private folder, whatever they come from: every name is judged, every byte is counted, and
 * only folders and regular files are ever made. Links are remembered, and replaced at the end by copies of what they lead
 * to, where that was placed as well.
 */
export class Placer {
  readonly folder: string;
  readonly #options: PlacerOptions;
  /** Everything placed, by its folded path: what looks the same to some file system must be the same. */
  readonly #claimed = new Map<string, { readonly path: string; readonly kind: 'file' | 'folder' | 'link' }>();
  readonly #children = new Map<string, string[]>();
  readonly #links = new Map<string, { readonly target: string; readonly isHard: boolean }>();
  #bytes = 0;
  #entries = 0;

  constructor(folder: string, options: PlacerOptions) {
    this.folder = folder;
    this.#options = options;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** The paths of all files and links. */
  get paths(): readonly string[] {
    return [...this.#claimed.values()].filter(({ kind }) => kind !== 'folder').map(({ path }) => path);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get entries(): number {
    return this.#entries;
  }

  kindOf(path: string): 'file' | 'folder' | 'link' | undefined {
    return path === '' ? 'folder' : this.#claimed.get(foldedPath(path))?.kind;
  }

  /** A path in the spelling in which it was placed. */
  pathOf(path: string): string {
    return this.#claimed.get(foldedPath(path))?.path ?? path;
  }

  addFolder(path: string): void {
    const parts = this.#judged(path);
    if (parts !== null) this.#claimFolder(parts.join('/'));
  }

  /** Begins a file; null where it is refused. Of the permissions, only whether it may be executed is kept. */
  addFile(path: string, isExecutable: boolean): Sink | null {
    const plain = this.#claim(path, 'file');
    return plain === null ? null : this.#sink(plain, isExecutable);
  }

  /** Places a whole file. */
  putFile(path: string, isExecutable: boolean, content: Uint8Array): void {
    const sink = this.addFile(path, isExecutable);
    try {
      sink?.write(content);
    } finally {
      sink?.close();
    }
  }

  /** Remembers a link; a hard one counts from the folder of the whole. */
  addLink(path: string, target: string, isHard = false): void {
    const plain = this.#claim(path, 'link');
    if (plain !== null) this.#links.set(plain, { target, isHard });
  }

  /** The paths below the whole that links lead to and nothing was placed at: more may have to be placed. */
  wanted(): readonly string[] {
    return [...this.#links.keys()].flatMap((path) => {
      const place = this.#resolve(path, mostHops);
      return 'missing' in place ? [place.missing] : [];
    });
  }

  /** Replaces links by what they lead to. */
  finish(): void {
    const isBeingDone = new Set<string>();
    for (const path of this.#links.keys()) this.#materialize(path, isBeingDone);
  }

  /** Counts bytes that are about to be written, or are known to come. */
  count(path: string, bytes: number, before = 0): void {
    const { bytes: most, fileBytes } = this.#options.limits;
    this.#bytes += bytes;
    if (before + bytes > fileBytes) this.refuse(path, `the file is larger than ${sizeInWords(fileBytes)}`);
    if (this.#bytes > most) this.refuse(path, `the files are larger than ${sizeInWords(most)} together`);
  }

  /** Refuses what is known to become too large. */
  foresee(path: string, bytes: number, sum: number): void {
    const before = this.#bytes;
    this.count(path, 0, bytes);
    this.#bytes += sum;
    this.count(path, 0);
    this.#bytes = before;
  }

  /** Refuses the whole because of this entry. */
  refuse(path: string, reason: string): never {
    throw refusal(this.#options.what, path, reason);
  }

  /** Tells of an entry that its reader cannot place. */
  report(path: string, reason: string): void {
    this.#problem(path, reason);
  }

  #problem(path: string, reason: string): null {
    this.#options.onProblem({ path, reason });
    return null;
  }

  #judged(path: string): readonly string[] | null {
    const reason = problemWithPath(path, this.#options.limits);
    return reason === null ? partsOf(path) : this.#problem(path, reason);
  }

  #claim(path: string, kind: 'file' | 'link'): string | null {
    const parts = this.#judged(path);
    if (parts === null) return null;
    if (parts.length === 0) return this.#problem(path, 'it is not a folder, and has no name');
    const plain = parts.join('/');
    const existing = this.#claimed.get(foldedPath(plain));
    if (existing !== undefined) return this.#problem(path, collision(plain, existing.path));
    const parent = parts.slice(0, -1).join('/');
    if (!this.#claimFolder(parent)) return null;
    this.#register(plain, parent, kind);
    return plain;
  }

  #claimFolder(path: string): boolean {
    if (path === '') return true;
    const existing = this.#claimed.get(foldedPath(path));
    if (existing?.kind === 'folder' && existing.path === path) return true;
    if (existing !== undefined) {
      this.#problem(
        path,
        existing.path === path ? 'it is a file and a folder at once' : collision(path, existing.path),
      );
      return false;
    }
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (!this.#claimFolder(parent)) return false;
    this.#register(path, parent, 'folder');
    mkdirSync(join(this.folder, path), { mode: 0o755 });
    return true;
  }

  #register(path: string, parent: string, kind: 'file' | 'folder' | 'link'): void {
    const { entries } = this.#options.limits;
    if (++this.#entries > entries) this.refuse(path, `there are more than ${grouped(entries)} files and folders`);
    this.#claimed.set(foldedPath(path), { path, kind });
    addTo(this.#children, parent, path);
    const names = () => this.#children.get(parent)?.map((one) => posix.basename(one)) ?? [];
    if (isRepositoryPart(posix.basename(path)) && isRepository(names())) {
      this.#problem(path, 'it makes its folder a Git repository, and programs would obey what lies there');
    }
  }

  #sink(path: string, isExecutable: boolean): Sink {
    const descriptor = openSync(join(this.folder, path), 'wx', isExecutable ? 0o755 : 0o644);
    let written = 0;
    return {
      write: (chunk) => {
        this.count(path, chunk.length, written);
        written += chunk.length;
        for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at);
      },
      close: () => {
        closeSync(descriptor);
        this.#options.onFile?.(path);
      },
    };
  }

  /** Finds what a link leads to, by names alone: nothing on disk is a link. */
  #resolve(path: string, hops: number): Place {
    const link = this.#links.get(path);
    if (link === undefined) return { path };
    const { target, isHard } = link;
    if (hops === 0) return { reason: 'the link leads in a circle' };
    if (/^(?:[/\\]|[a-z]:)/i.test(target)) return { reason: `the link leads out, to ${shown(target)}` };
    let at: string[] = isHard ? [] : path.split('/').slice(0, -1);
    const parts = target.split('/').filter((part) => part !== '' && part !== '.');
    for (const part of parts) {
      if (part !== '..') at.push(part);
      else if (at.pop() === undefined) return { reason: `the link leads out, to ${shown(target)}` };
      const place = this.#resolve(at.join('/'), hops - 1);
      if (!('path' in place)) return place;
      at = place.path === '' ? [] : place.path.split('/');
    }
    const found = at.join('/');
    return this.kindOf(found) === undefined ? { missing: found } : { path: found };
  }

  #materialize(path: string, isBeingDone: Set<string>): void {
    if (!this.#links.has(path)) return;
    const place = this.#resolve(path, mostHops);
    if ('missing' in place) {
      this.#forget(path);
    } else if ('reason' in place || isBeingDone.has(path) || `${path}/`.startsWith(place.path && `${place.path}/`)) {
      this.#forget(path);
      this.#problem(path, 'reason' in place ? place.reason : 'the link leads in a circle');
    } else {
      isBeingDone.add(path);
      this.#prepare(place.path, isBeingDone);
      this.#forget(path);
      this.#copy(place.path, path);
      isBeingDone.delete(path);
    }
  }

  /** Replaces the links below a folder that is about to be copied. */
  #prepare(path: string, isBeingDone: Set<string>): void {
    for (const child of [...(this.#children.get(path) ?? [])]) {
      if (this.#links.has(child)) this.#materialize(child, isBeingDone);
      this.#prepare(child, isBeingDone);
    }
  }

  #forget(path: string): void {
    this.#links.delete(path);
    this.#claimed.delete(foldedPath(path));
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const siblings = this.#children.get(parent);
    siblings?.splice(siblings.indexOf(path), 1);
  }

  #copy(from: string, to: string): void {
    if (this.kindOf(from) === 'file') {
      if (this.#claim(to, 'file') === null) return;
      const { size } = statSync(join(this.folder, from));
      this.count(to, size);
      copyFileSync(join(this.folder, from), join(this.folder, to));
      return;
    }
    this.addFolder(to);
    for (const child of [...(this.#children.get(from) ?? [])]) {
      if (!this.#links.has(child)) this.#copy(child, to + child.slice(from.length));
    }
  }
}

type Place = { readonly path: string } | { readonly missing: string } | { readonly reason: string };

function collision(path: string, other: string): string {
  return path === other ? 'it occurs twice' : `it cannot lie beside ${shown(other)} where letter case does not count`;
}

/** The error for a whole that is refused because of one entry. */
export function refusal(what: string, path: string, reason: string): SkillError {
  const hint = 'Nothing was kept. If you trust its author, tell them what is wrong with it.';
  const because = path === '' ? '' : ` because of ${shown(path)}`;
  return new SkillError('unreadable', `${what}: refused${because}: ${reason}`, { hint });
}
