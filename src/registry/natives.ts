import { agentNamed } from '../discovery/native/named.ts';
import { nativeSteps } from '../discovery/native/view.ts';
import type { Scan } from '../discovery/scan.ts';
import { type Breath, inBreaths } from '../kernel/breath.ts';
import type { Skill } from '../skill/types.ts';
import { type NativeSets, nativePrefix } from './filters.ts';

/** What each `native:AGENT` means here and now. Agents that are not known are left out. */
export async function nativeSets(tokens: readonly string[], scan: Scan, breath: Breath): Promise<NativeSets> {
  const sets = new Map<string, ReadonlySet<Skill>>();
  for (const token of tokens) {
    const agent = agentNamed(token.slice(nativePrefix.length));
    if (agent !== undefined) sets.set(token, (await inBreaths(nativeSteps(agent, scan), breath)).covered);
  }
  return sets;
}
