import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SkillError } from '../../core/errors.ts';
import type { BranchChange } from './branch.ts';
import type { AskingNewest, Fetcher } from './fetching.ts';
import { usualLimits } from './limits.ts';
import { createPrivateFolder, removeFolder } from './private-folder.ts';
import type { FetchContext, Fetched, Origin, Source, SourceKind } from './types.ts';

/** Fetches a source into a private folder. Throws, and leaves nothing behind, where it cannot be had. */
export async function fetchSource(source: Source, context: FetchContext): Promise<Fetched> {
  return await inPrivate(source, context, async (asking, folder) => {
    const files = join(folder, 'files');
    const fetcher = await fetchers[source.kind]();
    const { skills, refused, origin } = await fetcher.fetch(source, { ...asking, files });
    await removeFolder(asking.work);
    return { skills, refused, origin, folder: files, dispose: () => removeFolder(folder) };
  });
}

/** Asks for the newest state of a source, without fetching its files; with `pinned`, of what that is the state of. */
export async function newestOf(source: Source, context: FetchContext): Promise<Origin> {
  let own = '';
  const newest = await inPrivate(source, context, async (asking, folder) => {
    own = folder;
    const fetcher = await fetchers[source.kind]();
    return await fetcher.newest(source, asking);
  });
  await removeFolder(own);
  return newest;
}

/** Makes a branch in a clone of a source that is a repository; returns its commit. */
export async function branchOff(source: Source, change: BranchChange, context: FetchContext): Promise<string> {
  if (source.kind !== 'git') throw new SkillError('usage', `${source.text} is not a repository, and has no branches`);
  const { makeBranch } = await import('./branch.ts');
  let own = '';
  const made = await inPrivate(source, context, (asking, folder) => {
    own = folder;
    return makeBranch(source, change, asking);
  });
  await removeFolder(own);
  return made;
}

/** Fields by which two states are told apart, the most telling first. */
const telling = ['tree', 'commit', 'integrity', 'version', 'etag'] as const;

/** Compares a known state with the newest: `unknown` where the source tells nothing to compare by. */
export function compareOrigins(known: Origin, newest: Origin): 'same' | 'newer' | 'unknown' {
  // One commit has one content, and a folder may be the same in two.
  if (known.commit !== undefined && known.commit === newest.commit) return 'same';
  const field = telling.find((key) => known[key] !== undefined && newest[key] !== undefined);
  if (field === undefined) return 'unknown';
  return known[field] === newest[field] ? 'same' : 'newer';
}

/** The kinds of sources; each is loaded when it is needed. */
const fetchers: Readonly<Record<SourceKind, () => Promise<Fetcher>>> = {
  async folder() {
    const { fetchFolder, newestOfFolder } = await import('./folder.ts');
    return { fetch: fetchFolder, newest: newestOfFolder };
  },
  async git() {
    const { fetchGit, newestOfGit } = await import('./git.ts');
    return { fetch: fetchGit, newest: newestOfGit };
  },
  async npm() {
    const { fetchNpm, newestOfNpm } = await import('./npm.ts');
    return { fetch: fetchNpm, newest: newestOfNpm };
  },
  async archive() {
    const { fetchArchive, newestOfArchive } = await import('./archives/archive-source.ts');
    return { fetch: fetchArchive, newest: newestOfArchive };
  },
  async 'well-known'() {
    const { fetchWellKnown, newestOfWellKnown } = await import('./web/well-known.ts');
    return { fetch: fetchWellKnown, newest: newestOfWellKnown };
  },
  async marketplace() {
    const { fetchMarketplace, newestOfMarketplace } = await import('./marketplace.ts');
    return { fetch: fetchMarketplace, newest: newestOfMarketplace };
  },
  async mcp() {
    const { fetchServer, newestOfServer } = await import('./mcp-server.ts');
    return { fetch: fetchServer, newest: newestOfServer };
  },
};

async function inPrivate<T>(
  source: Source,
  context: FetchContext,
  act: (asking: AskingNewest, folder: string) => Promise<T>,
): Promise<T> {
  if (context.offline && !isLocal(source)) {
    const hint = 'Without the network, only folders, archives and repositories of this machine can be used.';
    throw new SkillError('unavailable', `${source.text}: lies on another machine, and the network is not to be used`, {
      hint,
    });
  }
  context.signal?.throwIfAborted();
  const folder = await createPrivateFolder(context.environment);
  const work = join(folder, 'work');
  const asking: AskingNewest = { ...context, limits: { ...usualLimits, ...context.limits }, work };
  try {
    mkdirSync(work);
    return await act(asking, folder);
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

/** Whether a source lies on this machine, as far as it can be told without asking anybody. */
function isLocal({ kind, place, within }: Source): boolean {
  if (within !== undefined) return isLocal(within);
  return kind === 'folder' || (kind !== 'npm' && kind !== 'mcp' && /^(?:file:|[/\\]|[a-z]:[\\/])/i.test(place));
}
