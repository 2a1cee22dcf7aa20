import { setupAgents } from '../../agents/setup/agents/table.ts';
import type { Scope, SetupAgent } from '../../agents/setup/agents/types.ts';
import { type Checked, check, enteredIn } from '../../agents/setup/check/check.ts';
import { findProgram } from '../../agents/setup/plan/entry.ts';
import { SkillError } from '../../core/errors.ts';
import type { Engine, Request } from '../engine.ts';
import { usualName } from './request.ts';

interface Asked {
  /** Agents that are named; if none is, all that have our entry. */
  readonly named: readonly SetupAgent[];
  readonly server: string;
  /** Scope to check; null for both files of an agent. */
  readonly scope: Scope | null;
}

/** Connects as each agent that has our entry in its file would. */
export async function checkAgents(
  { environment, configuration }: Engine,
  { named, server, scope }: Asked,
  { signal, onProgress }: Request,
): Promise<readonly Checked[]> {
  const scopes: readonly Scope[] = scope === null ? ['global', 'project'] : [scope];
  const agents = named.length > 0 ? named : setupAgents;
  const entries = agents.flatMap((agent) => {
    const found = scopes.flatMap((one) => enteredIn(agent, one, { name: server, environment }) ?? []);
    // In the home folder, a project's file may be the one for all projects.
    return found.filter(({ file }, at) => found.findIndex((other) => other.file === file) === at);
  });
  const without = named.filter((agent) => entries.every((entry) => entry.agent !== agent));
  if (without.length > 0 || entries.length === 0) throw notSetUp(without, server);
  const checking = {
    ...{ name: server, environment, signal, program: findProgram(environment), offline: configuration.values.offline },
    trustsProject: scope === 'project',
  };
  const checks: Checked[] = [];
  // One after the other: in parallel they would slow each other down, and the times would be useless.
  for (const entry of entries) {
    onProgress?.({ what: `Connecting as ${entry.agent.name}`, done: checks.length, total: entries.length });
    checks.push(await check(entry, checking));
    if (signal?.aborted) throw new SkillError('unavailable', 'interrupted');
  }
  return checks;
}

function notSetUp(agents: readonly SetupAgent[], server: string): SkillError {
  const ids = agents.map(({ id }) => id).join(' ');
  const message = ids === '' ? 'no agent is set up' : `not set up: ${ids}`;
  const words = `${ids === '' ? '--all' : ids}${server === usualName ? '' : ` --name ${server}`}`;
  return new SkillError('not-found', message, { hint: `Run repertoire setup ${words} first.` });
}
