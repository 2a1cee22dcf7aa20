import { SkillError } from '../../kernel/errors.ts';
import { suggest } from '../../registry/suggest.ts';
import { agentNamed, setupAgents } from '../../setup/agents/table.ts';
import type { Scope, SetupAgent } from '../../setup/agents/types.ts';
import type { Checked } from '../../setup/check/check.ts';
import type { AgentReport, Mode } from '../../setup/plan/carry-out.ts';
import { defineOperation } from '../operation.ts';
import { connectAgents } from '../setup/connecting.ts';
import { checkedName, checkScope, usualName } from '../setup/request.ts';

export interface SetupOutput {
  readonly mode: Mode | 'check';
  readonly scope: Scope;
  /** What our entry is called. */
  readonly server: string;
  readonly agents: readonly AgentReport[];
  /** How those fared whose files have our entry; null where that was not asked for. */
  readonly checks: readonly Checked[] | null;
  /** Whether all that was asked for is as it should be. */
  readonly ok: boolean;
}

export const setup = defineOperation({
  fields: {
    agents: {
      kind: 'list',
      positional: true,
      value: 'AGENT',
      description: 'Which agents, by their ids.',
      choices: setupAgents.map(({ id }) => id),
    },
    all: { kind: 'switch', description: 'Every agent that is found on this machine.' },
    global: { kind: 'switch', short: 'g', description: 'Write the file that counts for all projects (the default).' },
    project: { kind: 'switch', short: 'p', description: 'Write the file of this project.' },
    dryRun: { kind: 'switch', description: 'Show each change as a diff, and write nothing.' },
    remove: { kind: 'switch', description: 'Take our entry out again.' },
    http: { kind: 'text', value: 'URL', description: 'Connect to a server that runs, instead of starting one.' },
    name: { kind: 'text', value: 'NAME', default: usualName, description: 'What the entry is called.' },
    check: { kind: 'switch', description: 'Connect as each agent would by its own file, and show how it went.' },
  },
  async run(engine, input): Promise<SetupOutput> {
    const scope = checkScope(input);
    const server = checkedName(input.name);
    const named = input.agents.map(requireAgent);
    if (input.check && (input.remove || input.dryRun || input.http !== undefined)) {
      throw new SkillError('usage', '--check goes by what the files say: leave out --remove, --dry-run and --http');
    }
    if (input.check) {
      const { checkAgents } = await import('../setup/checking.ts');
      const checks = await checkAgents(engine, { named, server, scope: input.global || input.project ? scope : null });
      return { mode: 'check', scope, server, agents: [], checks, ok: checks.every(({ works }) => works) };
    }
    return { scope, server, checks: null, ...connectAgents(engine, { ...input, named, scope, server }) };
  },
});

function requireAgent(word: string): SetupAgent {
  const agent = agentNamed(word);
  if (agent !== undefined) return agent;
  const known = setupAgents.flatMap(({ id, aliases }) => [id, ...aliases]);
  const near = suggest(word, known, 3);
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(' or ')}?`
      : `It can be one of ${setupAgents.map(({ id }) => id).join(', ')}. docs/clients.md tells what to do for others.`;
  throw new SkillError('usage', `unknown agent '${word}'`, { hint, suggestions: near });
}
