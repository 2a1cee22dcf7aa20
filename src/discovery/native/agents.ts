import { agents } from '../../agents/agents.ts';
import type { Agent, Native, Source } from '../../agents/types.ts';
import { fold } from '../../core/text/text.ts';
import { outcomesOf } from './traits.ts';
import type { NativeAgent } from './types.ts';

function nativeAgent({ id, name, aliases = [], setup }: Agent, native: Native): NativeAgent {
  const { source, places, traits = {}, sameName = 'unknown', label = 'name', listing = null, spares = null } = native;
  const names = [id, ...(setup?.id === undefined ? [] : [setup.id]), ...aliases];
  return { id, name, names, source, places, traits: outcomesOf(traits), sameName, label, listing, spares };
}

const all = agents.flatMap((agent) => (agent.native === undefined ? [] : [nativeAgent(agent, agent.native)]));

/**
 * Agents of which something is known about how they find and read skills by themselves: first those that were run, then
 * the others.
 */
export const nativeAgents: readonly NativeAgent[] = [
  ...all.filter(({ source }) => isRelied(source)),
  ...all.filter(({ source }) => !isRelied(source)),
];

const byName = new Map(nativeAgents.flatMap((agent) => agent.names.map((name) => [name, agent])));

/** The agent that a name or an alias stands for, if it is one we know something of. */
export function agentNamed(name: string): NativeAgent | undefined {
  return byName.get(fold(name.trim()));
}

/**
 * Tells whether a skill may be left out because of this source. Agents were found not to do what everything but a run
 * said of them.
 */
export function isRelied({ by }: Source): boolean {
  return by === 'run';
}

const shown: Readonly<Record<Source['by'], string>> = {
  run: 'running',
  source: 'its source of',
  documentation: 'its documentation of',
  installer: 'the table of an installer of',
};

/** Formats a source, as in `running 2.1.325 on 2026-11-16`. */
export function words({ by, version, date }: Source): string {
  return `${shown[by]}${version === null ? '' : ` ${version} on`} ${date}`;
}
