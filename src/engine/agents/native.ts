import { basename } from 'node:path';
import { SkillError } from '../../core/errors.ts';
import { getOrInsert, memoized } from '../../core/maps.ts';
import { choice, type Infer, object, text } from '../../core/schema/schema.ts';
import { suggest } from '../../core/text/near.ts';
import { normalize, oneLine } from '../../core/text/text.ts';
import { runSync } from '../../core/time-slice.ts';
import { agentNamed, isRelied, nativeAgents } from '../../discovery/native/agents.ts';
import type { NativeAgent, Sees } from '../../discovery/native/types.ts';
import { type NativeView, nativeSteps } from '../../discovery/native/view.ts';
import type { Scan } from '../../discovery/scan.ts';
import { nativePrefix } from '../../registry/filters.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../skill/types.ts';

/** Whether one agent sees one skill by itself. */
export const agentSightSchema = object({
  id: text(),
  name: text(),
  sees: choice<Sees>(['yes', 'no', 'cut', 'unknown']),
  reason: text(),
});
export type AgentSight = Infer<typeof agentSightSchema>;

/** Views by scan and agent, kept as long as their scan: a page asks for one skill after the other. */
const viewsOf = memoized((_scan: Scan) => new Map<string, NativeView>());

/** Computes what an agent sees by itself of everything that was found. */
export function viewOf(agent: NativeAgent, { scan }: Pick<Snapshot, 'scan'>): NativeView {
  return getOrInsert(viewsOf(scan), agent.id, () => runSync(nativeSteps(agent, scan)));
}

/** Tells for each agent we know whether it sees a skill by itself, and why. */
export function agentsSeeing(skill: Skill, snapshot: Pick<Snapshot, 'scan'>): readonly AgentSight[] {
  const near = { scan: withRivalsOf(skill, snapshot.scan) };
  return nativeAgents.map((agent) => {
    const { id, name, listing } = agent;
    // The room in a list depends on all skills; everything else on those that this one could be mistaken for.
    const sight = viewOf(agent, listing === null ? near : snapshot).sights.get(skill);
    return { id, name, sees: sight?.sees ?? 'unknown', reason: sight?.reason ?? 'the skill is no longer there' };
  });
}

function withRivalsOf(skill: Skill, scan: Scan): Scan {
  const [name, folder] = [normalize(skill.fullName), basename(skill.dir)];
  const isRival = (one: Skill): boolean => normalize(one.fullName) === name || basename(one.dir) === folder;
  const skills = scan.skills.filter(isRival);
  const files = new Set(skills.map(({ file }) => file));
  return { ...scan, skills, diagnostics: scan.diagnostics.filter(({ file }) => files.has(file)) };
}

/** The tokens for `--exclude` that leave out what an agent shows by itself; none if nobody saw it show anything. */
export function excludesFor(agentId: string): readonly string[] {
  const agent = agentNamed(agentId);
  const isSeen = agent?.places.some((place) => isRelied(place.source ?? agent.source)) === true;
  return isSeen ? [nativePrefix + agent.id] : [];
}

/** Every agent of which something is known, by its id and its name. */
export const knownAgents: readonly Pick<NativeAgent, 'id' | 'name'>[] = nativeAgents.map(({ id, name }) => ({
  id,
  name,
}));

/** Returns the agent of that name, or throws an error that says what could have been meant. */
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
