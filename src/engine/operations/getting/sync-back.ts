import { join, resolve } from 'node:path';
import { addFile } from '../../../core/disk/replace.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { flag, type Infer, list, nullable, object, optional, text } from '../../../core/schema/schema.ts';
import { oneLine } from '../../../core/text/text.ts';
import { sourceOf } from '../../../get/install/lock-file.ts';
import { patchOf } from '../../../get/install/patch.ts';
import { folderNameOf } from '../../../get/install/places.ts';
import { presenceAt } from '../../../get/install/presence.ts';
import { kept } from '../../../get/install/store.ts';
import { settleFirst } from '../../../get/install/transaction.ts';
import { parseSource } from '../../../get/sources/parse.ts';
import { branchOff } from '../../../get/sources/sources.ts';
import { fetchContext } from '../../getting/bring-in.ts';
import { bringLocked } from '../../getting/bring-locked.ts';
import { changedFiles } from '../../getting/check.ts';
import { scopeInput } from '../../getting/input.ts';
import { entriesNamed, installedScope, readLock } from '../../getting/locked.ts';
import { defineOperation } from '../../operation.ts';

const output = object({
  name: text(),
  source: text(),
  commit: nullable(text(), 'The commit that the patch is for.'),
  files: list(text(), 'The files that you have changed.'),
  patch: text(),
  out: nullable(text(), 'The file that it was written to, or the clone with the branch.'),
  branch: nullable(object({ name: text(), commit: text(), pushed: flag() }), 'The branch that was made.'),
});
export type SyncBackOutput = Infer<typeof output>;

export const syncBack = defineOperation({
  name: 'sync-back',
  effect: 'acts',
  concernsSkills: false,
  input: {
    name: text('The installed skill that you have changed.'),
    out: optional(text('The file to write the patch to; with a branch, the folder of the clone.')),
    branch: optional(
      text('Make a branch of this name in a clone of the source, beside the working directory.', { blank: false }),
    ),
    push: flag('Push the branch to where the skill came from.', { default: false }),
    message: optional(text('The message of the commit.', { blank: false })),
    ...scopeInput,
    dryRun: flag('Write no file.', { default: false }),
  },
  output,
  async run(engine, { name, out, branch, push, message, dryRun, ...input }, request): Promise<SyncBackOutput> {
    const { environment } = engine;
    if (push && branch === undefined) throw new SkillError('usage', 'what is pushed is a branch: name it');
    await settleFirst(environment);
    const scope = installedScope(input, environment);
    const lock = readLock(scope);
    const [[, entry] = []] = entriesNamed(lock, [name]);
    const folder = join(scope.skills, folderNameOf(name));
    const presence = entry === undefined ? null : await presenceAt(folder, entry);
    if (entry === undefined || presence === null || presence.state === 'missing' || presence.state === 'foreign') {
      throw new SkillError('not-found', `${oneLine(name)} is not installed in ${scope.skills}`);
    }
    const locked = entry.repertoire?.digest;
    const stored = locked === undefined ? null : await kept(environment, locked);
    const base = stored ?? (await fetched());
    const mine = { ...presence, folder };
    const { text: source, path = '', pinned } = sourceOf(scope, entry);
    const patch = patchOf(base, mine, path);
    const commit = pinned?.commit ?? null;
    const summary = { name, source, commit, files: changedFiles(base, mine), patch, branch: null };
    if (patch === '' || dryRun) return { ...summary, out: null };
    const place = out === undefined ? null : resolve(environment.cwd, out);
    if (branch !== undefined) return { ...summary, ...(await branched(branch, place)) };
    if (place !== null) write(place, patch);
    return { ...summary, out: place };

    async function branched(to: string, folder: string | null): Promise<Pick<SyncBackOutput, 'out' | 'branch'>> {
      if (commit === null) throw new SkillError('usage', `${oneLine(name)} did not come from a repository`);
      // What is pushed needs no clone of the user's own.
      const clone = folder ?? (push ? null : resolve(environment.cwd, `${folderNameOf(name)}-clone`));
      const made = await branchOff(
        parseSource(source, environment),
        { branch: to, commit, patch, message: message ?? `Update ${name}`, folder: clone, push },
        fetchContext(engine, {}, request),
      );
      return { out: clone, branch: { name: to, commit: made, pushed: push } };
    }

    /** The skill as it was installed, from its source, where it is not kept any more. */
    async function fetched() {
      const wanted = [[name, entry as NonNullable<typeof entry>]] as const;
      const { incoming, refused } = await bringLocked(engine, wanted, scope, { isPinned: true }, request);
      const [first] = incoming;
      if (first !== undefined) return first.kept;
      const why = refused[0]?.reason ?? 'it cannot be had';
      throw new SkillError('unavailable', `how ${oneLine(name)} was installed is not known any more: ${why}`);
    }
  },
});

function write(file: string, text: string): void {
  try {
    addFile(file, text, 0o644);
  } catch (error) {
    throw new SkillError('unwritable', `${file} cannot be written (${reasonOf(error)})`);
  }
}
