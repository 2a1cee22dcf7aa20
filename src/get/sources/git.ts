import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SkillError } from '../../core/errors.ts';
import { grouped } from '../../core/text/text.ts';
import { checkProtocol, leadsHere, withoutCredentials } from './addresses.ts';
import type { AskingNewest, Fetching, Found } from './fetching.ts';
import { type GitOptions, git, type Remote, remoteOf } from './git-program.ts';
import { nameFrom } from './names.ts';
import type { Placer } from './placer.ts';
import { type Tree, type TreeEntry, takeSkills } from './tree.ts';
import type { Origin, Source } from './types.ts';

/** A repository at one commit: its list of files, and the content of those that are asked for. */
export interface Repository extends Tree {
  readonly commit: string;
  readonly origin: Origin;
  readonly path: string | undefined;
  /** Git's name for the content of a folder. */
  readonly treeOf: (path: string) => string | undefined;
}

/** Entries of a repository that are looked at: the largest that people work in have fewer. */
const mostListed = 1_000_000;
/** Levels of submodules in each other. */
const mostNested = 3;

const fullCommit = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Fetches skills from a repository: of its newest commit alone, and only the files that they consist of. */
export async function fetchGit(source: Source, fetching: Fetching): Promise<Found> {
  const { files, limits, pinned, onPlaced } = fetching;
  const repository = await openRepository(source, fetching);
  const path = repository.path ?? pinned?.path;
  const taken = await takeSkills(repository, files, {
    what: source.text,
    name: repositoryName(source.place),
    path,
    limits,
    onPlaced,
  });
  const { origin } = repository;
  const skills = taken.skills.map((skill) => ({ ...skill, origin: originOf(repository, skill.path) }));
  return { ...taken, origin, skills };
}

/** The origin of one folder of a repository. */
export function originOf({ origin, treeOf }: Repository, path: string): Origin {
  const tree = treeOf(path);
  return { ...origin, path, ...(tree !== undefined && { tree }) };
}

/** Asks the other side for the commit. Where that changed, the folder may be the same: Git tells by its trees alone. */
export async function newestOfGit(source: Source, asking: AskingNewest): Promise<Origin> {
  const remote = checkedRemote(source, asking);
  const { work, pinned } = asking;
  mkdirSync(work, { recursive: true });
  const context = { ...asking, files: work };
  const origin = { kind: 'git', source: source.text, url: withoutCredentials(remote.url) } as const;
  const split = source.refAndPath === undefined ? source : await splitRef(source, remote, context);
  const { ref } = split;
  const commit = ref !== undefined && fullCommit.test(ref) ? ref : await advertised(remote, ref, context);
  if (commit === null) throw noRef(source, ref ?? 'HEAD');
  const newest = { ...origin, ...(ref !== undefined && { ref }), commit };
  if (pinned?.tree === undefined || pinned.path === undefined || pinned.commit === commit) return newest;
  const repository = await openRepository(source, { ...context, pinned: undefined });
  return originOf(repository, pinned.path);
}

function repositoryName(place: string): string {
  return /([^/:\\]+?)(?:\.git)?[/\\]*$/.exec(place)?.[1] ?? 'skill';
}

/** The other side, where its address may be used. */
export function checkedRemote({ place, text }: Source, { plainHttp }: AskingNewest): Remote {
  const remote = remoteOf(place, text);
  const protocol = /^([a-z][a-z0-9+.-]+):\/\//i.exec(remote.url)?.[1]?.toLowerCase();
  if (protocol === 'http' || protocol === 'git') {
    const url = new URL(remote.url);
    checkProtocol(protocol === 'http' ? url : new URL(url.href.replace(/^git/i, 'http')), plainHttp);
  }
  return remote;
}

function noRef(source: Source, ref: string): SkillError {
  const hint = 'Check what follows @ or #; a skill is chosen by its path, or by its name apart.';
  return new SkillError('not-found', `${source.text}: it has no branch, tag or commit ${JSON.stringify(ref)}`, {
    hint,
  });
}

/** The commit that the other side has under a name; without one, of its default branch. */
async function advertised(remote: Remote, ref: string | undefined, fetching: Fetching): Promise<string | null> {
  const names = ref === undefined ? ['HEAD'] : [`refs/heads/${ref}`, `refs/tags/${ref}^{}`, `refs/tags/${ref}`, ref];
  const refs = await refsOf(remote, names, fetching);
  const found = names.find((name) => refs.has(name));
  return found === undefined ? null : (refs.get(found) ?? null);
}

async function refsOf(
  remote: Remote,
  patterns: readonly string[],
  fetching: Fetching,
): Promise<ReadonlyMap<string, string>> {
  const ended = await git(fetching.work, remote, ['ls-remote', '--quiet', '--', remote.url, ...patterns], fetching, {
    isRemote: true,
  });
  const lines = ended?.output.toString('utf8').split('\n') ?? [];
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [commit = '', name] = line.split('\t');
      return name !== undefined && fullCommit.test(commit) ? [[name, commit]] : [];
    }),
  );
}

/** Tells the ref from the path where an address has both as one: the longest that the other side knows as a ref. */
async function splitRef(source: Source, remote: Remote, fetching: Fetching): Promise<Source> {
  const { refAndPath = '', ...rest } = source;
  const parts = refAndPath.split('/');
  const starts = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  const refs = await refsOf(
    remote,
    starts.flatMap((start) => [`refs/heads/${start}`, `refs/tags/${start}`]),
    fetching,
  );
  const ref =
    starts.findLast((start) => refs.has(`refs/heads/${start}`) || refs.has(`refs/tags/${start}`)) ?? parts[0] ?? '';
  const path = refAndPath.slice(ref.length + 1);
  return { ...rest, ref, ...(path !== '' && { path }) };
}

/** The place of a repository in others, as of a submodule. */
interface Position {
  readonly nested: number;
  readonly prefix: string;
}

const outermost: Position = { nested: 0, prefix: '' };

/** Fetches the commit and its trees, and lists its files; contents come when they are asked for. */
export async function openRepository(
  source: Source,
  fetching: Fetching,
  { nested, prefix } = outermost,
): Promise<Repository> {
  const { work, pinned } = fetching;
  const remote = checkedRemote(source, fetching);
  const folder = join(work, `repository-${nested}-${Math.random().toString(36).slice(2)}`);
  mkdirSync(join(folder, 'objects'), { recursive: true });
  mkdirSync(join(folder, 'refs'));
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(
    join(folder, 'config'),
    '[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tpartialClone = origin\n',
  );
  const run = (args: readonly string[], options?: GitOptions) =>
    git(folder, remote, ['--git-dir=.', ...args], fetching, options);
  const split = source.refAndPath === undefined ? source : await splitRef(source, remote, fetching);
  if (pinned?.commit !== undefined && !fullCommit.test(pinned.commit)) throw noRef(source, pinned.commit);
  const asked = pinned?.commit ?? split.ref;
  const { name, isWhole } = await fetchCommit(run, asked);
  // Side by side: most of what Git does here is to start.
  const [known, listing] = await Promise.allSettled([
    commitOf(run, name, source),
    listFiles(run, `${name}^{commit}`, source, prefix),
  ]);
  const [{ commit, tree }, listed] = [fulfilled(known), fulfilled(listing)];
  const origin: Origin = {
    kind: 'git',
    source: source.text,
    url: withoutCredentials(remote.url),
    ...(split.ref !== undefined && { ref: split.ref }),
    commit,
  };
  return {
    commit,
    origin,
    path: split.path,
    entries: listed.entries,
    treeOf: (path) => (path === '' ? tree : listed.trees.get(path)),
    async place(entries, placer) {
      if (!isWhole) await fetchContents(run, commit, entries);
      await placeContents(run, entries, placer);
      const modules = entries.filter((entry) => entry.kind === 'submodule');
      if (fetching.submodules === true && modules.length > 0) {
        await placeSubmodules({ run, commit, remote, modules, placer, fetching, nested, prefix });
      }
    },
  };
}

type Run = (args: readonly string[], options?: GitOptions) => ReturnType<typeof git>;

const quiet = ['--no-tags', '--no-recurse-submodules', '--no-auto-maintenance', '--progress'];

/** Gets a commit with its trees and without files, as far as the other side knows how to. */
async function fetchCommit(run: Run, asked = 'HEAD'): Promise<FetchedCommit> {
  const shallow = ['--depth=1', '--filter=blob:none'];
  const isCommit = /^[0-9a-f]{7,64}$/.test(asked);
  let isDumb = false;
  const first = await run(['fetch', ...quiet, ...shallow, 'origin', asked], {
    isRemote: true,
    mayFail(said) {
      isDumb = /dumb http/i.test(said);
      return isCommit || /dumb http|shallow/i.test(said);
    },
  });
  if (first !== null) return { name: 'FETCH_HEAD', isWhole: isUnfiltered(first.said) };
  // A server that hands out no single commits, a shortened one, or a server without a program behind it.
  const everything = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'];
  // Without a program there is nobody to filter: Git would fetch each file that is lacking by a fetch that lacks it too.
  if (isDumb) {
    for (const key of ['extensions.partialClone', 'remote.origin.promisor', 'remote.origin.partialclonefilter']) {
      await run(['config', '--unset-all', key], { mayFail: () => true });
    }
  }
  const filter = isDumb ? [] : ['--filter=blob:none'];
  const refs = [...everything, ...(isCommit ? [] : [asked])];
  await run(['fetch', ...quiet, ...filter, 'origin', ...refs], { isRemote: true, isWhole: isDumb });
  return { name: isCommit ? asked : 'FETCH_HEAD', isWhole: isDumb };
}

/** Whether the other side has sent all files because it knows no other way, as repositories of this machine do. */
function isUnfiltered(said: string): boolean {
  return /filtering not recognized by server/i.test(said);
}

interface Commit {
  readonly commit: string;
  readonly tree: string;
}

interface FetchedCommit {
  /** The name by which Git finds it. */
  readonly name: string;
  /** Whether all of its files came with it. */
  readonly isWhole: boolean;
}

async function commitOf(run: Run, name: string, source: Source): Promise<Commit> {
  const ended = await run(['rev-parse', `${name}^{commit}`, `${name}^{tree}`], { mayFail: () => true });
  const [commit = '', tree = ''] = ended?.output.toString('latin1').split('\n') ?? [];
  if (!fullCommit.test(commit)) throw noRef(source, name);
  return { commit, tree };
}

const kinds: Readonly<Record<string, TreeEntry['kind']>> = { '100': 'file', '120': 'link', '160': 'submodule' };

function fulfilled<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

/** Lists a commit as it comes, so that trees made to have no end do not take the memory with them. */
async function listFiles(
  run: Run,
  name: string,
  source: Source,
  prefix: string,
): Promise<{ readonly entries: readonly TreeEntry[]; readonly trees: ReadonlyMap<string, string> }> {
  const entries: TreeEntry[] = [];
  const trees = new Map<string, string>();
  await run(['ls-tree', '-r', '-t', '-z', '--full-tree', name], {
    onOutput: recordReader(0, (record) => {
      const [, mode = '', type, id = ''] = /^(\d{6}) (\w+) ([0-9a-f]+)\t/.exec(record.toString('latin1', 0, 90)) ?? [];
      const path = nameFrom(record.subarray(record.indexOf(9) + 1)) ?? record.toString('latin1', record.indexOf(9) + 1);
      if (type === 'tree') trees.set(path, id);
      else
        entries.push({
          path: prefix + path,
          kind: kinds[mode.slice(0, 3)] ?? 'other',
          isExecutable: mode === '100755',
          id,
        });
      if (entries.length + trees.size > mostListed) {
        throw new SkillError('unreadable', `${source.text}: it has more than ${grouped(mostListed)} files`);
      }
    }),
  });
  return { entries, trees };
}

/** Cuts a stream into records that end with a byte. */
function recordReader(end: number, use: (record: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    let bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let at = bytes.indexOf(end); at !== -1; at = bytes.indexOf(end)) {
      use(bytes.subarray(0, at));
      bytes = bytes.subarray(at + 1);
    }
    rest = bytes;
  };
}

function blobsOf(entries: readonly TreeEntry[]): readonly TreeEntry[] {
  return entries.filter(({ kind }) => kind === 'file' || kind === 'link');
}

/** Fetches the contents that are missing, in one request: Git by itself would ask for each alone. */
async function fetchContents(run: Run, commit: string, entries: readonly TreeEntry[]): Promise<void> {
  const missing = new Set<string>();
  await run(['rev-list', '--objects', '--missing=print', '--no-object-names', '-n1', commit], {
    onOutput: recordReader(10, (line) => void (line[0] === 63 && missing.add(line.toString('latin1', 1)))),
  });
  const wanted = new Set(blobsOf(entries).flatMap(({ id }) => (missing.has(id) ? [id] : [])));
  if (wanted.size === 0) return;
  await run(
    [
      '-c',
      'fetch.negotiationAlgorithm=noop',
      'fetch',
      ...quiet,
      '--no-write-fetch-head',
      '--filter=blob:none',
      '--stdin',
      'origin',
    ],
    {
      isRemote: true,
      input: [...wanted, ''].join('\n'),
    },
  );
}

/** Writes the contents as they were committed: no filter, no line ends, no attributes change them. */
async function placeContents(run: Run, entries: readonly TreeEntry[], placer: Placer): Promise<void> {
  const blobs = blobsOf(entries);
  if (blobs.length === 0) return;
  const input = `${blobs.map(({ id }) => id).join('\n')}\n`;
  const checked = checkSizes(run, blobs, input, placer);
  checked.catch(() => undefined); // whoever waits for the input is told
  const writer = contentWriter(blobs, placer);
  try {
    // Nothing is asked of it before all sizes are known to be good: it only starts meanwhile.
    await run(['cat-file', '--batch', '--buffer'], {
      input: checked.then(() => input),
      onOutput: (chunk) => writer.take(chunk),
    });
  } finally {
    writer.close();
  }
  for (const { path, kind } of entries) {
    if (kind === 'other') placer.report(path, 'it is of a kind that Git does not have');
  }
}

/** Git holds a content in memory before it hands it out, so that its size must be known before. */
async function checkSizes(run: Run, blobs: readonly TreeEntry[], input: string, placer: Placer): Promise<void> {
  let at = 0;
  let sum = 0;
  await run(['cat-file', '--batch-check=%(objectsize)', '--buffer'], {
    input,
    onOutput: recordReader(10, (line) => {
      const size = Number(line.toString('latin1'));
      sum += size;
      placer.foresee(blobs[at++]?.path ?? '', size, sum);
    }),
  });
}

/** Takes the answers of `cat-file --batch`: a line with the size, the content, and a line break. */
function contentWriter(blobs: readonly TreeEntry[], placer: Placer): { take(chunk: Buffer): void; close(): void } {
  let head = '';
  let [at, left] = [0, 0];
  let sink: ReturnType<Placer['addFile']> = null;
  let target: Buffer[] = [];
  /** Each step takes what it can from the beginning of the bytes, and tells how much that was. */
  const steps = {
    head(bytes: Buffer): number {
      const end = bytes.indexOf(10);
      head += bytes.toString('latin1', 0, end === -1 ? bytes.length : end);
      if (end === -1) return bytes.length;
      const [entry, size] = [blobs[at], / blob (\d+)$/.exec(head)?.[1]];
      if (entry === undefined || size === undefined) throw new SkillError('unreadable', 'Git does not have all files');
      if (entry.kind === 'file') sink = placer.addFile(entry.path, entry.isExecutable);
      [left, step] = [Number(size), size === '0' ? 'end' : 'content'];
      return end + 1;
    },
    content(bytes: Buffer): number {
      const part = bytes.subarray(0, left);
      if (blobs[at]?.kind === 'link') target.push(part);
      else sink?.write(part);
      left -= part.length;
      if (left === 0) step = 'end';
      return part.length;
    },
    end(): number {
      const entry = blobs[at++];
      sink?.close();
      if (entry?.kind === 'link') placer.addLink(entry.path, Buffer.concat(target).toString('utf8'));
      [sink, target, head, step] = [null, [], '', 'head'];
      return 1; // the line break
    },
  };
  let step: keyof typeof steps = 'head';
  return {
    take(chunk) {
      for (let rest = chunk; rest.length > 0; ) rest = rest.subarray(steps[step](rest));
    },
    close: () => sink?.close(),
  };
}

interface Submodules extends Position {
  readonly run: Run;
  readonly commit: string;
  readonly remote: Remote;
  readonly modules: readonly TreeEntry[];
  readonly placer: Placer;
  readonly fetching: Fetching;
}

/** Places submodules as if their files were part of the repository. */
async function placeSubmodules({
  run,
  commit,
  remote,
  modules,
  placer,
  fetching,
  nested,
  prefix,
}: Submodules): Promise<void> {
  const form = '^submodule\\..*\\.(path|url)$';
  const listed = await run(['config', `--blob=${commit}:.gitmodules`, '--null', '--get-regexp', form], {
    mayFail: () => true,
  });
  const settings = (listed?.output.toString('utf8') ?? '').split('\0').map((one): [string, string] => {
    const at = one.indexOf('\n');
    return [one.slice(0, at), one.slice(at + 1)];
  });
  for (const { path, id } of modules) {
    const own = path.slice(prefix.length);
    const key = settings
      .find(([name, value]) => name.endsWith('.path') && value === own)?.[0]
      .replace(/\.path$/, '.url');
    const url = settings.find(([name]) => name === key)?.[1];
    const place = url === undefined ? null : submodulePlace(url, remote);
    if (place === null || nested >= mostNested) {
      placer.report(
        path,
        nested >= mostNested ? 'submodules lie too deep in each other' : 'the address of the submodule is not used',
      );
      continue;
    }
    const source: Source = { kind: 'git', text: withoutCredentials(place), place };
    const pinned: Origin = { kind: 'git', source: source.text, commit: id };
    const inner = await openRepository(source, { ...fetching, pinned }, { nested: nested + 1, prefix: `${path}/` });
    await inner.place(inner.entries, placer);
  }
}

/** The address of a submodule; null where a stranger's repository would have us read one of this machine. */
function submodulePlace(url: string, remote: Remote): string | null {
  if (leadsHere(url, remote.url)) return null;
  if (/^\.{1,2}\//.test(url)) return relativePlace(url, remote.url);
  const isLocal = url.startsWith('/') || /^file:/i.test(url);
  if (isLocal) return remote.isLocal ? url : null;
  return /^(?:https?|ssh):\/\/[^-]/i.test(url) || /^\w[\w.+-]*@[a-z0-9][\w.-]*:[^-]/i.test(url) ? url : null;
}

function relativePlace(url: string, base: string): string | null {
  if (URL.canParse(base) && base.includes('://')) return new URL(url, `${base}/`).href;
  const [, host = '', path = ''] = /^([^/]*:)?(.*)$/.exec(base) ?? [];
  return host + join(path, url);
}
