import { nativeAgents } from '../../discovery/native/agents.ts';
import { agentNamed } from '../../discovery/native/named.ts';
import type { NativeAgent } from '../../discovery/native/types.ts';
import { SkillError } from '../../kernel/errors.ts';
import { oneLine } from '../../kernel/text.ts';
import { suggest } from '../../registry/suggest.ts';

/** Every agent of which something is known, by its id and its name. */
export const knownAgents: readonly Pick<NativeAgent, 'id' | 'name'>[] = nativeAgents.map(({ id, name }) => ({
  id,
  name,
}));

/** The agent of that name, or an error that says what could have been meant. */
export function requireAgent(name: string): NativeAgent {
  const agent = agentNamed(name);
  if (agent !== undefined) return agent;
  const all = nativeAgents.map(({ id }) => id);
  const suggestions = suggest(name, all, 3);
  const meant = suggestions.length > 0 ? `Did you mean ${suggestions.join(' or ')}? ` : '';
  throw new SkillError('usage', `unknown agent '${oneLine(name)}'`, {
    suggestions,
    hint: `${meant}Known agents: ${all.join(', ')}.`,
  });
}
