import { SkillError } from '../../../core/errors.ts';
import { choice, flag, type Infer, list, nullable, object, text } from '../../../core/schema/schema.ts';
import { type LockEntry, sourceOf } from '../../../get/install/lock-file.ts';
import type { Scope } from '../../../get/install/places.ts';
import type { Incoming } from '../../../get/install/plan.ts';
import { settleFirst } from '../../../get/install/transaction.ts';
import { parseSource } from '../../../get/sources/parse.ts';
import { compareOrigins, newestOf } from '../../../get/sources/sources.ts';
import type { Origin } from '../../../get/sources/types.ts';
import type { Engine, Request } from '../../engine.ts';
import { fetchContext } from '../../getting/bring-in.ts';
import { bringLocked } from '../../getting/bring-locked.ts';
import { scopeInput } from '../../getting/input.ts';
import { entriesNamed, installedScope, isSameAs, readLock } from '../../getting/locked.ts';
import { defineOperation } from '../../operation.ts';

const output = object({
  lockFile: text(),
  skills: list(
    object({
      name: text(),
      source: text(),
      state: choice(['current', 'outdated', 'unknown']),
      installed: nullable(text(), 'The commit, version or digest.'),
      newest: nullable(text()),
      reason: nullable(text(), 'Why it is not known.'),
    }),
  ),
  ok: flag('Whether every skill is current.'),
});
export type OutdatedOutput = Infer<typeof output>;
type Row = OutdatedOutput['skills'][number];

export const outdated = defineOperation({
  name: 'outdated',
  effect: 'reads',
  concernsSkills: false,
  input: {
    names: list(text(), 'Which skills. All that are installed where none is named.', { default: [] }),
    ...scopeInput,
    offline: flag('Ask nothing of the network.', { default: false }),
  },
  output,
  async run(engine, { names, offline, ...input }, request): Promise<OutdatedOutput> {
    await settleFirst(engine.environment);
    const scope = installedScope(input, engine.environment);
    const entries = entriesNamed(readLock(scope), names);
    const rows = await askedSources(engine, entries, { scope, offline }, request);
    // A source that has moved on need not have touched the skill: its files tell.
    const others = entries.filter(([name]) => !rows.has(name));
    const { incoming, refused } = await bringLocked(engine, others, scope, { offline, isPinned: false }, request);
    for (const [name, entry] of others) {
      const fresh = incoming.find((one) => one.name === name);
      const reason = refused.find((one) => one.name === name)?.reason ?? null;
      rows.set(name, rowOf(name, entry, scope, fresh, reason));
    }
    const skills = entries.flatMap(([name]) => rows.get(name) ?? []);
    return { lockFile: scope.lockFile, skills, ok: skills.every(({ state }) => state === 'current') };
  },
});

type Entries = ReturnType<typeof entriesNamed>;

/** Asks each source once. Told are those that have not moved on, and those that cannot be asked. */
async function askedSources(
  engine: Engine,
  entries: Entries,
  { scope, offline }: { readonly scope: Scope; readonly offline: boolean },
  request: Request,
): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  const asked = new Map<string, Promise<Origin>>();
  for (const [done, [name, entry]] of entries.entries()) {
    request.onProgress?.({ what: 'Asking the sources', done, total: entries.length });
    const { text: source, ref, pinned } = sourceOf(scope, entry);
    const key = JSON.stringify([source, ref]);
    try {
      const parsed = parseSource(source, engine.environment, ref);
      const newest = asked.get(key) ?? newestOf(parsed, fetchContext(engine, { offline }, request));
      asked.set(key, newest);
      if (pinned === undefined || compareOrigins(pinned, await newest) !== 'same') continue;
      const row = rowOf(name, entry, scope, undefined, null);
      rows.set(name, { ...row, state: 'current', newest: row.installed });
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      rows.set(name, rowOf(name, entry, scope, undefined, error.message));
    }
  }
  return rows;
}

function rowOf(name: string, entry: LockEntry, scope: Scope, fresh: Incoming | undefined, reason: string | null): Row {
  const { text: source, pinned } = sourceOf(scope, entry);
  const row = { name, source, installed: stateOf(pinned) ?? entry.repertoire?.digest ?? null, reason };
  if (fresh === undefined) return { ...row, state: 'unknown', newest: null };
  const state = isSameAs(entry, fresh) ? 'current' : 'outdated';
  return { ...row, state, newest: stateOf(fresh.origin) ?? fresh.kept.digest };
}

/** The name of a state of a source. */
function stateOf(origin: Origin | undefined): string | undefined {
  return origin?.commit ?? origin?.version ?? origin?.integrity;
}
