import { agents } from '../../agents/agents.ts';
import { detectedBy } from '../../agents/setup/agents/places.ts';
import { setupAgents } from '../../agents/setup/agents/table.ts';
import type { Agent } from '../../agents/types.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { suggest } from '../../core/text/near.ts';
import { fold } from '../../core/text/text.ts';

/** The agents that words stand for, by id, alias or provider. */
export function agentsCalled(words: readonly string[]): readonly Agent[] {
  return [...new Set(words.flatMap((word) => requireAgents(word)))];
}

function requireAgents(word: string): readonly Agent[] {
  if (word === '*') return agents;
  const found = agents.filter((agent) => namesOf(agent).includes(fold(word.trim())));
  if (found.length > 0) return found;
  const suggestions = suggest(word, agents.flatMap(namesOf), 3);
  throw new SkillError('usage', `unknown agent '${word}'`, { suggestions });
}

function namesOf({ id, aliases = [], folders, setup }: Agent): readonly string[] {
  return [id, ...aliases, ...(folders?.aliases ?? []), ...(setup?.id === undefined ? [] : [setup.id])];
}

/** The agents that are installed on this machine, as far as can be told. */
export function agentsHere(environment: Environment): readonly Agent[] {
  const found = new Set(setupAgents.filter((agent) => detectedBy(agent, environment) !== null).map(({ name }) => name));
  return agents.filter(({ name, setup }) => setup !== undefined && found.has(name));
}

export { agents as everyAgent };
