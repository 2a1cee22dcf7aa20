import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isThere } from '../../core/disk/files.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import type { AskingNewest } from './fetching.ts';
import { checkedRemote } from './git.ts';
import { type GitOptions, git } from './git-program.ts';
import { removeFolder } from './private-folder.ts';
import type { Source } from './types.ts';

/** A change of a repository that becomes a branch of it. */
export interface BranchChange {
  readonly branch: string;
  /** The commit that the patch is for. */
  readonly commit: string;
  readonly patch: string;
  readonly message: string;
  /** The folder of the clone that is left to the user; null where none is. */
  readonly folder: string | null;
  /** Whether the branch is pushed to where the repository came from. */
  readonly push: boolean;
}

/**
 * Makes a branch in a clone of a repository, by the user's own Git. No file of the repository is checked out, no hook is
 * run, and nothing that the other side has is overwritten. Returns the new commit.
 */
export async function makeBranch(source: Source, change: BranchChange, asking: AskingNewest): Promise<string> {
  const { branch } = change;
  const remote = checkedRemote(source, asking);
  const run: Run = (folder, args, options) => git(folder, remote, args, { ...asking, files: folder }, options);
  const isName = await run(asking.work, ['check-ref-format', `refs/heads/${branch}`], { mayFail: () => true });
  if (isName === null || branch.startsWith('-')) {
    throw new SkillError('usage', `${JSON.stringify(branch)} cannot be the name of a branch`);
  }
  const folder = change.folder ?? join(asking.work, 'clone');
  if (isThere(folder)) throw new SkillError('unwritable', `${folder} is there already`, { hint: 'Name another one.' });
  try {
    mkdirSync(folder, { recursive: true });
    return await commitOn((args, options) => run(folder, args, options), remote.url, change);
  } catch (error) {
    await removeFolder(folder);
    throw error instanceof SkillError ? error : new SkillError('unwritable', `${folder}: ${reasonOf(error)}`);
  }
}

type Run = (folder: string, args: readonly string[], options?: GitOptions) => ReturnType<typeof git>;

async function commitOn(
  run: (args: readonly string[], options?: GitOptions) => ReturnType<typeof git>,
  url: string,
  { branch, commit, patch, message, push }: BranchChange,
): Promise<string> {
  const said = async (...args: readonly string[]): Promise<string> =>
    (await run(args))?.output.toString('latin1').trim() ?? '';
  const full = `refs/heads/${branch}`;
  await run(['init', '--quiet', '--template=']);
  await run(['config', 'remote.origin.url', url]);
  await run(['config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*']);
  await run(['fetch', '--no-tags', '--no-recurse-submodules', '--depth=1', '--', url, commit], { isRemote: true });
  await run(['read-tree', commit]);
  await run(['apply', '--cached', '--whitespace=nowarn', '-'], { input: patch });
  const made = await said('commit-tree', await said('write-tree'), '-p', commit, '-m', message);
  await run(['update-ref', full, made]);
  await run(['symbolic-ref', 'HEAD', full]);
  if (push) await run(['push', '--quiet', '--', url, `${full}:${full}`], { isRemote: true });
  return made;
}
