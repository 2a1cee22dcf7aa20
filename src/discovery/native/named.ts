import { fold } from '../../kernel/text.ts';
import { nativeAgents } from './agents.ts';
import type { NativeAgent } from './types.ts';

const byName = new Map(nativeAgents.flatMap((agent) => [agent.id, ...agent.aliases].map((name) => [name, agent])));

/** The agent that a name or an alias stands for, if it is one we know something of. */
export function agentNamed(name: string): NativeAgent | undefined {
  return byName.get(fold(name.trim()));
}
