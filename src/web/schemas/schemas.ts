import type { GrantOutput } from '../../engine/operations/grant.ts';
import type { GrantRecord, GrantsOutput } from '../../engine/operations/grants.ts';
import type { RevokeOutput } from '../../engine/operations/revoke.ts';
import type { ToolsOutput } from '../../engine/operations/tools.ts';
import type { OperationName, OutputOf } from '../operations.ts';
import type { SessionState } from '../shapes.ts';
import { browse, inspect, read, why } from './browsing.ts';
import { anyOf, choice, flag, list, object, type Schema, text, time } from './build.ts';
import { components } from './components.ts';
import { search } from './searching.ts';
import { markedItem, ref } from './shared.ts';
import { activity, audit, type DoctorAnswer, doctor, health, statistics } from './watching.ts';

const tools = object<ToolsOutput>({ skills: list(ref('SkillTools')) });

const grants = object<GrantsOutput>({
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

const run = anyOf(ref('ExecutionResult'), ref('DryRun'));

const grant = object<GrantOutput>({
  skill: text(),
  folder: text(),
  digest: text('Of all files of the skill.'),
  granted: flag(),
  may: list(text(), 'What it may do, in words.'),
  items: list(markedItem, 'All that it asks for.'),
});

const revoke = object<RevokeOutput>({ revoked: list(text(), 'The skills whose grants are gone.') });

const session = object<SessionState>({
  signedIn: flag(),
  mode: choice(['full', 'read']),
  version: text(),
});

/** What is answered over the web, where a log is not followed. */
type AnswerOf<N extends OperationName> = N extends 'doctor'
  ? DoctorAnswer
  : Exclude<OutputOf<N>, { readonly what: 'following' }>;

/** What answers look like. The compiler holds it against their types, and a test against real answers. */
export const schemas = {
  outputs: {
    browse,
    search,
    inspect,
    read,
    why,
    tools,
    grants,
    audit,
    activity,
    statistics,
    doctor,
    health,
    run,
    grant,
    revoke,
  } satisfies { readonly [N in OperationName]: Schema<AnswerOf<N>> },
  session,
  components,
};
