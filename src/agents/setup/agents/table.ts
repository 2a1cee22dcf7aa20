import { agents } from '../../agents.ts';
import type { Agent, NameRule, Setup } from '../../types.ts';
import { approvalBy } from './approvals.ts';
import { shapeOf } from './shapes.ts';
import type { SetupAgent } from './types.ts';

/** The rule of the strictest model services. It applies to agents that are not known to rewrite names. */
const strict: NameRule = { pattern: /^[a-zA-Z0-9_-]{1,64}$/, together: 64 };

/** The defaults of most agents; each object says where it differs. */
const usual = {
  format: 'json',
  at: ['mcpServers'],
  project: [],
  programs: [],
  toolNames: 'portable',
  names: strict,
  isApp: true,
  startMs: 60_000,
  notes: [],
} as const satisfies Partial<Setup>;

function setupAgent({ id, name, aliases = [] }: Agent, { entry, approval, ...setup }: Setup): SetupAgent {
  return {
    ...{ ...usual, id, name, ...setup },
    aliases: setup.id === undefined ? aliases : [id, ...aliases],
    shape: shapeOf(entry),
    ...(approval && { approval: approvalBy(approval) }),
  };
}

/** Every agent that `setup` can connect. */
export const setupAgents: readonly SetupAgent[] = agents.flatMap((agent) =>
  agent.setup === undefined ? [] : [setupAgent(agent, agent.setup)],
);

/** The agents that a word stands for, by id or alias: two of the same maker may share one. */
export function agentsNamed(word: string): readonly SetupAgent[] {
  const wanted = word.toLowerCase();
  return setupAgents.filter(({ id, aliases }) => id === wanted || aliases.includes(wanted));
}
