import { join } from 'node:path';
import type { Environment } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';
import { count, flag, type Infer, list, object, text } from '../../../core/schema/schema.ts';
import { shellWord } from '../../../core/text/text.ts';
import type { Lock } from '../../../get/install/lock-file.ts';
import { folderNameOf, ownPlaces } from '../../../get/install/places.ts';
import { createMemory, type Memory } from '../../../get/install/presence.ts';
import { settleFirst } from '../../../get/install/transaction.ts';
import { type Difference, differenceSchema, differencesOf } from '../../getting/check.ts';
import { scopeInput, workInput } from '../../getting/input.ts';
import { installedScope, mannerOf, readLock } from '../../getting/locked.ts';
import { defineOperation } from '../../operation.ts';

const output = object({
  lockFile: text(),
  frozen: flag(),
  dryRun: flag(),
  checked: count('Skills in the lock file.'),
  installed: list(text(), 'Skills that were put in place, or would be.'),
  differences: list(differenceSchema, 'What is not as the lock file says, and was not made so.'),
  ok: flag(),
});
export type InstallOutput = Infer<typeof output>;

export const install = defineOperation({
  name: 'install',
  effect: 'acts',
  concernsSkills: false,
  input: {
    source: list(text(), 'Nothing: install takes what the lock file says. To get skills from a source, use add.', {
      default: [],
    }),
    frozen: flag('Fail on any difference, and change nothing then; never write the lock file.', { default: false }),
    ...scopeInput,
    ...workInput,
  },
  output,
  async run(engine, { source, frozen, dryRun, project, global }, request): Promise<InstallOutput> {
    if (source[0] !== undefined) throw meantAdd(source);
    const { environment } = engine;
    await settleFirst(environment);
    const scope = installedScope({ project, global }, environment);
    const memory = createMemory(environment, scope);
    const known = memory.count();
    const asked = { lockFile: scope.lockFile, frozen, dryRun };
    if (known !== null) return { ...asked, checked: known, installed: [], differences: [], ok: true };
    const began = Date.now();
    const lock = readLock(scope);
    const found: Difference[] = [];
    for (const [name, entry] of lock.entries) {
      found.push(...(await differencesOf(name, entry, lock, { environment, memory })));
      if (frozen && entry.repertoire === undefined) found.push(unpinned(name));
    }
    for (const [name, what] of lock.problems) {
      found.push({ name, kind: 'entry', what: `its entry cannot be used: ${what}`, files: [] });
    }
    if (found.length === 0) await rememberAll(memory, lock, environment, began);
    memory.save();
    const base = { ...asked, checked: lock.entries.size + lock.problems.size };
    const names = new Set(found.filter(({ kind }) => kind === 'missing' || kind === 'place').map(({ name }) => name));
    const others = found.filter(({ kind }) => kind !== 'missing' && kind !== 'place');
    const changed = new Set(others.map(({ name }) => name));
    const wanted = [...lock.entries].filter(([name]) => names.has(name) && !changed.has(name));
    if (wanted.length === 0 || (frozen && others.length > 0)) {
      const left = frozen ? found : others;
      return { ...base, installed: [], differences: left, ok: left.length === 0 };
    }
    const { restore } = await import('../../getting/restore.ts');
    const { installed, differences } = await restore(engine, { lock, wanted, frozen, dryRun }, request);
    const all = [...others, ...differences];
    return { ...base, installed, differences: all, ok: all.length === 0 };
  },
});

/** Remembers that all is as the lock file says, where a look at files and links is enough to tell it again. */
async function rememberAll(memory: Memory, lock: Lock, environment: Environment, began: number): Promise<void> {
  const { scope, entries } = lock;
  const links: string[] = [];
  for (const [name, entry] of entries) {
    // Others write neither a digest nor who has a copy.
    if (entry.repertoire === undefined || entry.repertoire.copies === true) return;
    const { agents } = await mannerOf(scope, name, entry, environment);
    links.push(...ownPlaces(agents, name, scope, environment).map(({ path }) => path));
  }
  const folders = [...entries.keys()].map((name) => join(scope.skills, folderNameOf(name)));
  memory.rememberAll(folders, [scope.lockFile, ...links], began);
}

function unpinned(name: string): Difference {
  const what = 'its entry says neither commit nor digest; repertoire update writes them';
  return { name, kind: 'unpinned', what, files: [] };
}

function meantAdd([source = '', ...names]: readonly string[]): SkillError {
  const skills = names.map((name) => ` --skill ${shellWord(name)}`).join('');
  return new SkillError('usage', 'install takes what the lock file says, and no source', {
    hint: `To get skills from a source: repertoire add ${shellWord(source)}${skills}`,
  });
}
