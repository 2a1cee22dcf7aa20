import { SkillError } from '../../../core/errors.ts';
import { choice, type Infer, list, nullable, object, text } from '../../../core/schema/schema.ts';
import { sourceOf } from '../../../get/install/lock-file.ts';
import { type ScopeKind, scopeFor } from '../../../get/install/places.ts';
import { listQuarantine } from '../../../get/scan/store.ts';
import { findingSchema } from '../../../get/scan/types.ts';
import type { Engine } from '../../engine.ts';
import { differencesOf } from '../../getting/check.ts';
import { readLock } from '../../getting/locked.ts';
import { defineOperation } from '../../operation.ts';

const scopeSchema = object({
  scope: choice(['project', 'global']),
  lockFile: text(),
  skills: list(
    object({
      name: text(),
      source: text(),
      version: nullable(text(), 'The commit, version or digest that is installed.'),
      differences: list(text(), 'What is not as the lock file says, in words.'),
    }),
  ),
  problem: nullable(text(), 'Why the lock file cannot be used.'),
});
export type LockedScope = Infer<typeof scopeSchema>;

const output = object({
  scopes: list(scopeSchema),
  quarantine: list(
    object({
      name: text(),
      folder: text(),
      digest: text('The version that `allow` lets out.'),
      findings: list(findingSchema),
    }),
    'Skills that the scan keeps from being loaded and run.',
  ),
});
export type LockedOutput = Infer<typeof output>;

/** Shows the skills that were got from a source, whether each is as its lock file says, and those in quarantine. */
export const locked = defineOperation({
  name: 'locked',
  effect: 'reads',
  concernsSkills: false,
  input: {},
  output,
  async run(engine): Promise<LockedOutput> {
    return {
      scopes: [await scopeOf(engine, 'project'), await scopeOf(engine, 'global')],
      quarantine: [...listQuarantine(engine.environment).values()].map(
        ({ name, folder, report: { digest, findings } }) => ({ name, folder, digest, findings }),
      ),
    };
  },
});

async function scopeOf({ environment }: Engine, kind: ScopeKind): Promise<LockedScope> {
  const scope = scopeFor(kind, environment);
  const base = { scope: kind, lockFile: scope.lockFile };
  try {
    const lock = readLock(scope);
    const skills: LockedScope['skills'][number][] = [];
    for (const [name, entry] of lock.entries) {
      const { text: source, pinned } = sourceOf(scope, entry);
      const version = pinned?.commit ?? pinned?.version ?? entry.repertoire?.digest ?? null;
      const differences = await differencesOf(name, entry, lock, { environment });
      skills.push({ name, source, version, differences: differences.map(({ what }) => what) });
    }
    for (const [name, what] of lock.problems) skills.push({ name, source: '', version: null, differences: [what] });
    return { ...base, skills, problem: null };
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return { ...base, skills: [], problem: error.message };
  }
}
