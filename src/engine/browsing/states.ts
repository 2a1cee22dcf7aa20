import type { Diagnostic, DiagnosticCode } from '../../core/diagnostics.ts';
import { addTo } from '../../core/groups.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../skill/types.ts';

/** States of a skill. */
export const skillStates = [
  'plain',
  'repaired',
  'broken-tools',
  'shadowed',
  'ambiguous',
  'look-alike',
  'quarantined',
] as const;
export type SkillState = (typeof skillStates)[number];

/** The states of a skill, and the diagnostics about them. */
export interface Standing {
  /** `plain` alone, or all others that hold. */
  readonly states: readonly SkillState[];
  readonly diagnostics: readonly Diagnostic[];
}

/** States other than plain, by the diagnostic that reports them. */
const stateOf: { readonly [C in DiagnosticCode]?: SkillState } = {
  'frontmatter-repaired': 'repaired',
  'frontmatter-not-first': 'repaired',
  shadowed: 'shadowed',
  ambiguous: 'ambiguous',
  'looks-like': 'look-alike',
  quarantined: 'quarantined',
};

const plain: Standing = { states: ['plain'], diagnostics: [] };

/** The standing of a skill whose tools have faults: those of a manifest, which make it have none. */
export function withFaults({ states, diagnostics }: Standing, faults: readonly Diagnostic[]): Standing {
  if (faults.length === 0) return { states, diagnostics };
  const found: ReadonlySet<SkillState> = new Set([...states, 'broken-tools' as const]);
  const held = skillStates.filter((state) => state !== 'plain' && found.has(state));
  return { states: held, diagnostics: [...diagnostics, ...faults] };
}

/** Returns a function that tells the standing of each skill of a snapshot. */
export function standings(snapshot: Snapshot): (skill: Skill) => Standing {
  const telling = new Map<string, Diagnostic[]>();
  for (const one of snapshot.diagnostics) if (stateOf[one.code] !== undefined) addTo(telling, one.file, one);
  return (skill) => {
    const diagnostics = telling.get(skill.file) ?? [];
    const found = new Set(diagnostics.map(({ code }) => stateOf[code]));
    if (skill.repaired) found.add('repaired');
    if (snapshot.shadowedBy(skill) !== undefined) found.add('shadowed');
    return found.size === 0 ? plain : { states: skillStates.filter((state) => found.has(state)), diagnostics };
  };
}
