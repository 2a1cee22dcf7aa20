import { runSliced, type Slicer } from '../core/time-slice.ts';
import { agentNamed } from '../discovery/native/agents.ts';
import { nativeSteps } from '../discovery/native/view.ts';
import type { Scan } from '../discovery/scan.ts';
import type { Skill } from '../skill/types.ts';
import { type NativeSets, nativeJoint, nativePrefix } from './filters.ts';

/** The meaning of each `native:AGENT` here and now. Unknown agents are left out. */
export async function nativeSets(tokens: readonly string[], scan: Scan, slicer: Slicer): Promise<NativeSets> {
  const sets = new Map<string, ReadonlySet<Skill>>();
  for (const token of tokens) {
    const agents = token.slice(nativePrefix.length).split(nativeJoint).map(agentNamed);
    let covered: ReadonlySet<Skill> | undefined;
    for (const agent of agents) {
      if (agent === undefined) continue;
      const own = (await runSliced(nativeSteps(agent, scan), slicer)).covered;
      covered = covered === undefined ? own : new Set([...covered].filter((skill) => own.has(skill)));
    }
    if (covered !== undefined && !agents.includes(undefined)) sets.set(token, covered);
  }
  return sets;
}
