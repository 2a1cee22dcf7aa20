import { detectedBy } from '../../../agents/setup/agents/places.ts';
import { agentsNamed, setupAgents } from '../../../agents/setup/agents/table.ts';
import { approvalLevels, type Scope, type SetupAgent } from '../../../agents/setup/agents/types.ts';
import type { Checked } from '../../../agents/setup/check/check.ts';
import type { Mode } from '../../../agents/setup/plan/perform.ts';
import type { AgentReport } from '../../../agents/setup/plan/plan.ts';
import type { Environment } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';
import { choice, flag, list, optional, text } from '../../../core/schema/schema.ts';
import { suggest } from '../../../core/text/near.ts';
import { defineOperation } from '../../operation.ts';
import { connectAgents } from '../../setup/connecting.ts';
import { checkedName, checkScope, usualName } from '../../setup/request.ts';

export interface SetupOutput {
  readonly mode: Mode | 'check';
  readonly scope: Scope;
  /** Name of our entry. */
  readonly server: string;
  readonly agents: readonly AgentReport[];
  /** Results of the checks of agents whose files have our entry; null if none was asked for. */
  readonly checks: readonly Checked[] | null;
  /** Whether everything that was asked for is as it should be. */
  readonly ok: boolean;
}

/** Ids of the agents that setup can connect. */
export const ids = setupAgents.map(({ id }) => id);

export const setup = defineOperation({
  name: 'setup',
  effect: 'acts',
  input: {
    agents: list(text(), 'Which agents, by their ids.', { default: [] }),
    all: flag('Every agent that is found on this machine.', { default: false }),
    global: flag('Write the file that counts for all projects (the default).', { default: false }),
    project: flag('Write the file of this project.', { default: false }),
    dryRun: flag('Show each change as a diff, and write nothing.', { default: false }),
    remove: flag('Remove our entry again.', { default: false }),
    approve: optional(
      choice(
        approvalLevels,
        'Have agents call our tools without asking: read loads and searches, all runs tools of skills too.',
      ),
    ),
    trust: flag(
      "Have agents trust this project's folder, where they wait for that. It counts for more than our server.",
      { default: false },
    ),
    http: optional(text('Connect to a running server instead of starting one.')),
    name: text('The name of the entry.', { default: usualName }),
    check: flag('Connect as each agent would, using its own file, and show the result.', { default: false }),
  },
  changes: ({ agents, remove, dryRun, check }) =>
    dryRun || check ? null : { skills: [], parameters: { agents, remove } },
  notes({ remove }, output?: SetupOutput) {
    const done = output?.agents.filter((agent) => agent.done).map(({ name }) => name) ?? [];
    return done.length === 0
      ? null
      : { what: 'changed', detail: `${remove ? 'disconnected' : 'connected'} ${done.join(', ')}` };
  },
  async run(engine, input, request): Promise<SetupOutput> {
    const scope = checkScope(input);
    const server = checkedName(input.name);
    const named = [...new Set(input.agents.flatMap((word) => requireAgents(word, engine.environment)))];
    const gives = input.approve !== undefined || input.trust;
    if (input.check && (input.remove || input.dryRun || input.http !== undefined || gives)) {
      const message = '--check uses what the files say: leave out --remove, --dry-run, --http, --approve and --trust';
      throw new SkillError('usage', message);
    }
    if (input.remove && gives) {
      throw new SkillError('usage', '--remove takes back approvals and trust as well: leave out --approve and --trust');
    }
    if (input.check) {
      const { checkAgents } = await import('../../setup/checking.ts');
      const given = input.global || input.project ? scope : null;
      const checks = await checkAgents(engine, { named, server, scope: given }, request);
      return { mode: 'check', scope, server, agents: [], checks, ok: checks.every(({ works }) => works) };
    }
    return { scope, server, checks: null, ...connectAgents(engine, { ...input, named, scope, server }) };
  },
});

/** Finds the agents that a word means; where it stands for two, those installed here are meant. */
function requireAgents(word: string, environment: Environment): readonly SetupAgent[] {
  const agents = agentsNamed(word);
  const here = agents.filter((agent) => detectedBy(agent, environment) !== null);
  if (agents.length > 0) return here.length > 0 ? here : agents.slice(0, 1);
  const known = setupAgents.flatMap(({ id, aliases }) => [id, ...aliases]);
  const near = suggest(word, known, 3).filter((name) => isLike(word, name));
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(' or ')}?`
      : `Known agents: ${setupAgents.map(({ id }) => id).join(', ')}. For others see docs/clients.md.`;
  throw new SkillError('usage', `unknown agent '${word}'`, { hint, suggestions: near });
}

/**
 * Tells whether a word is a misspelling of a name. Names of agents are short, and two wrong letters of four make
 * another word; a slip leaves the first letter alone.
 */
function isLike(word: string, name: string): boolean {
  const [asked, known] = [word.toLowerCase(), name.toLowerCase()];
  return asked[0] === known[0] || known.includes(asked) || asked.includes(known);
}
