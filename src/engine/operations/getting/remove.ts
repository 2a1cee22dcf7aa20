import { flag, list, text } from '../../../core/schema/schema.ts';
import { planRemoval } from '../../../get/install/plan.ts';
import { everyAgent } from '../../getting/agents.ts';
import { carryOut, noteOf, type Outcome, outcomeSchema } from '../../getting/carry-out.ts';
import { scopeInput, workInput } from '../../getting/input.ts';
import { installedScope } from '../../getting/locked.ts';
import { defineOperation } from '../../operation.ts';

export const remove = defineOperation({
  name: 'remove',
  effect: 'acts',
  concernsSkills: false,
  input: {
    names: list(text(), 'Which skills.', { default: [] }),
    all: flag('Every skill that is in the lock file.', { default: false }),
    ...scopeInput,
    ...workInput,
  },
  output: outcomeSchema,
  changes: ({ names, dryRun }) => (dryRun ? null : { skills: names, parameters: {} }),
  notes: (_input, outcome) => noteOf(outcome),
  async run(engine, { names, all, dryRun, yes, ...input }, request): Promise<Outcome> {
    const { environment } = engine;
    const scope = installedScope(input, environment);
    return carryOut(
      engine,
      {
        ...{ scope, dryRun, yes, unasked: `repertoire remove ${names.join(' ') || '--all'} --yes` },
        plan: (lock) => {
          const wanted = all ? [...lock.entries.keys()] : names;
          return Promise.all(wanted.map((name) => planRemoval(name, lock, everyAgent, environment)));
        },
      },
      request,
    );
  },
});
