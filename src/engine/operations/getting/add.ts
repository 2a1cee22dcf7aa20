import { SkillError } from '../../../core/errors.ts';
import { flag, list, optional, text } from '../../../core/schema/schema.ts';
import { shellWord } from '../../../core/text/text.ts';
import type { Lock } from '../../../get/install/lock-file.ts';
import { scopeFor } from '../../../get/install/places.ts';
import { planAll } from '../../../get/install/plan.ts';
import { parseSource } from '../../../get/sources/parse.ts';
import { agentsCalled, agentsHere } from '../../getting/agents.ts';
import { bringIn, namedIn } from '../../getting/bring-in.ts';
import { carryOut, noteOf, type Outcome, outcomeSchema } from '../../getting/carry-out.ts';
import { reviewInput, scopeInput, scopeKind, workInput } from '../../getting/input.ts';
import { defineOperation } from '../../operation.ts';

export const add = defineOperation({
  name: 'add',
  effect: 'acts',
  concernsSkills: false,
  input: {
    source: text('A folder, a Git repository, owner/repo, an npm package, an archive, or an address.'),
    skill: list(text(), 'Only the skill of this name; repeatable. All that the source has where none is named.', {
      default: [],
    }),
    agent: list(text(), 'The agent that gets it; repeatable. Those that are found on this machine by default.', {
      default: [],
    }),
    ...scopeInput,
    ref: optional(text('The branch, tag, commit or version.')),
    copy: flag('Put copies into the folders of agents that need their own.', { default: false }),
    link: flag('Put links there (the default).', { default: false }),
    ...workInput,
    ...reviewInput,
  },
  output: outcomeSchema,
  changes: ({ source, ref, skill: skills, agent, digest, dryRun }) =>
    dryRun ? null : { skills, parameters: { source, ref, agent, digest } },
  notes: (_input, outcome) => noteOf(outcome),
  async run(engine, input, request): Promise<Outcome> {
    const { environment } = engine;
    if (input.copy && input.link) throw new SkillError('usage', 'it is either copies or links, not both');
    const scope = scopeFor(scopeKind(input) ?? 'project', environment);
    const agents = input.agent.length > 0 ? agentsCalled(input.agent) : agentsHere(environment);
    const source = parseSource(input.source, environment, input.ref);
    const { dryRun, yes, diff, digest } = input;
    const only = input.skill.length > 0 ? input.skill : undefined;
    const target = yes && !dryRun ? scope.skills : undefined;
    const errand = { source, only, target, choose: namedIn(input.skill) };
    const { incoming, refused, dispose } = await bringIn(engine, errand, request);
    const manner = { scope, agents, copies: input.copy, preferred: null };
    const work = {
      ...{ scope, dryRun, yes, diff, digest, refused, unasked: `repertoire add ${shellWord(input.source)} --yes` },
      plan: (lock: Lock) => planAll(incoming, lock, manner, environment),
    };
    try {
      return await carryOut(engine, work, request);
    } finally {
      await dispose();
    }
  },
});
