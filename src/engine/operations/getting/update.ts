import { choice, list, optional, text } from '../../../core/schema/schema.ts';
import { type Planned, planFor } from '../../../get/install/plan.ts';
import { bringLocked } from '../../getting/bring-locked.ts';
import { carryOut, noteOf, type Outcome, outcomeSchema } from '../../getting/carry-out.ts';
import { reviewInput, scopeInput, workInput } from '../../getting/input.ts';
import { entriesNamed, installedScope, mannerOf, readLock } from '../../getting/locked.ts';
import { defineOperation } from '../../operation.ts';

export const update = defineOperation({
  name: 'update',
  effect: 'acts',
  concernsSkills: false,
  input: {
    names: list(text(), 'Which skills. All that are installed where none is named.', { default: [] }),
    ...scopeInput,
    prefer: optional(choice(['mine', 'theirs'], 'What to take where you and the source have changed the same lines.')),
    ...workInput,
    ...reviewInput,
  },
  output: outcomeSchema,
  changes: ({ names, digest, dryRun }) => (dryRun ? null : { skills: names, parameters: { digest } }),
  notes: (_input, outcome) => noteOf(outcome),
  async run(engine, { names, prefer, dryRun, yes, diff, digest, ...input }, request): Promise<Outcome> {
    const { environment } = engine;
    const scope = installedScope(input, environment);
    const entries = entriesNamed(readLock(scope), names);
    const brought = await bringLocked(engine, entries, scope, { isPinned: false }, request);
    return carryOut(
      engine,
      {
        ...{ scope, dryRun, yes, diff, digest, refused: brought.refused, unasked: 'repertoire update --yes' },
        async plan(lock) {
          const planned: Planned[] = [];
          for (const incoming of brought.incoming) {
            const entry = lock.entries.get(incoming.name);
            if (entry === undefined) continue; // it was removed in the meantime
            const manner = await mannerOf(scope, incoming.name, entry, environment);
            planned.push(await planFor(incoming, lock, { ...manner, preferred: prefer ?? null }, environment));
          }
          return planned;
        },
      },
      request,
    );
  },
});
