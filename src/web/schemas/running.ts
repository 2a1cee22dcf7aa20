import type { GrantOutput } from '../../engine/operations/grant.ts';
import type { GrantRecord, GrantsOutput } from '../../engine/operations/grants.ts';
import type { RevokeOutput } from '../../engine/operations/revoke.ts';
import type { ToolsOutput } from '../../engine/operations/tools.ts';
import { anyOf, flag, list, object, text, time } from './build.ts';
import { markedItem, ref } from './shared.ts';

export const tools = object<ToolsOutput>({ skills: list(ref('SkillTools')) });

export const grants = object<GrantsOutput>({
  grants: list(
    object<GrantRecord>({
      skill: text(),
      folder: text(),
      digest: text('Of all files of the skill, as they were.'),
      grantedAt: time(),
      may: list(text(), 'What it may do, in words.'),
      items: list(ref('Capability'), 'The same, item by item.'),
      withheld: list(ref('Capability'), 'What it also asks for and was not granted.'),
      valid: flag('Whether it is still valid.'),
      changes: list(text(), 'What has changed since.'),
    }),
  ),
  problems: list(text(), 'Grant files that cannot be read, and so grant nothing.'),
});

export const run = anyOf(ref('ExecutionResult'), ref('DryRun'));

export const grant = object<GrantOutput>({
  skill: text(),
  folder: text(),
  digest: text('Of all files of the skill.'),
  granted: flag(),
  may: list(text(), 'What it may do, in words.'),
  items: list(markedItem, 'All that it asks for.'),
});

export const revoke = object<RevokeOutput>({ revoked: list(text(), 'The skills whose grants are gone.') });
