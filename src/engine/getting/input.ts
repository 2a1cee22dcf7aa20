import { SkillError } from '../../core/errors.ts';
import { flag, list, text } from '../../core/schema/schema.ts';
import type { ScopeKind } from '../../get/install/places.ts';

/** The fields by which the scope is chosen. */
export const scopeInput = {
  project: flag('In this project.', { default: false }),
  global: flag('For all projects of this user.', { default: false }),
} as const;

/** The fields of everything that changes what is installed. */
export const workInput = {
  dryRun: flag('Show what would be done, and do nothing.', { default: false }),
  yes: flag('Do not ask.', { default: false }),
} as const;

/** The fields of what brings files of others: they are looked at, and then agreed to. */
export const reviewInput = {
  diff: flag('Show the change to each file.', { default: false }),
  digest: list(text(), 'The digest of a version that was reviewed; any other is refused. Repeatable.', { default: [] }),
} as const;

/** The scope that was asked for; null where none was. */
export function scopeKind({
  project,
  global,
}: {
  readonly project: boolean;
  readonly global: boolean;
}): ScopeKind | null {
  if (project && global) throw new SkillError('usage', 'choose either the project or all projects, not both');
  return global ? 'global' : project ? 'project' : null;
}
