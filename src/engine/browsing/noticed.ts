import type { Diagnostic } from '../../kernel/diagnostics.ts';
import { isInside } from '../../kernel/paths.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../skill/types.ts';
import { clientLimitsOf } from '../client-limits.ts';

/** All that was noticed about a skill: by the scan, by comparing names, about its tools, and about what clients do. */
export function noticedAbout(skill: Skill, snapshot: Snapshot, more: readonly Diagnostic[]): Diagnostic[] {
  // Skills can lie inside others: what is said of those is not about this one.
  const inner = snapshot.skills
    .filter((other) => other !== skill && isInside(skill.dir, other.dir))
    .map(({ dir }) => dir);
  const isAbout = ({ file }: Diagnostic): boolean =>
    isInside(skill.dir, file) && !inner.some((dir) => isInside(dir, file));
  const all = [...snapshot.diagnostics.filter(isAbout), ...more, ...clientLimitsOf(skill)];
  const distinct = new Map(all.map((one) => [[one.code, one.file, one.line, one.message].join('\0'), one]));
  return [...distinct.values()];
}
