import { SkillError } from '../../../core/errors.ts';
import { anything, map, optional, text } from '../../../core/schema/schema.ts';
import type { Shaping } from '../../../run/output/types.ts';
import type { Engine, Request } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';
import { execute as begin } from '../../running/execute.ts';
import { aboutOf, isSameRequest, keepGrant, missingGrant, questionOf } from '../../running/permissions/granting.ts';
import type { Execution, ToolCall } from '../../running/types.ts';

/** Begins to run a tool, once the person who can be asked has allowed what it lacks. */
export const execute = defineOperation({
  name: 'execute',
  right: 'run',
  effect: 'executes',
  input: {
    skill: text('The skill, by any name that it can be loaded by.'),
    tool: text('The tool of that skill.'),
    parameters: map(anything(), 'The parameters of the tool.'),
    instance: optional(text("One of the skill's instances.")),
    shaping: optional(anything<Shaping>('How the output is cut down.')),
  },
  skillIn: ({ skill }) => skill,
  async run(engine, { instance = null, shaping = {}, ...asked }, request): Promise<Execution> {
    const call: ToolCall = { ...asked, instance, shaping };
    await askFirst(engine, call, request);
    return begin(engine, call, request);
  },
});

/** Asks a person for a missing grant if one can be asked. A yes is kept, and the call goes on either way. */
async function askFirst(engine: Engine, call: ToolCall, request: Request): Promise<void> {
  const { confirm } = request;
  if (confirm === undefined || engine.configuration.problems.length > 0) return;
  const missing = await missingGrant(engine, call, request);
  if (
    missing === null ||
    !(await mayGrant(engine, missing.folder, request)) ||
    !(await confirm(questionOf(missing), aboutOf(missing)))
  )
    return;
  // People take their time, and an attacker may use it: the request must still be the same.
  if (!isSameRequest(missing, await missingGrant(engine, call, request))) return;
  if ((await keepGrant(engine, missing, request)) === 'kept') return;
  throw new SkillError('denied', `what '${missing.skill}' asks for waits until somebody else has allowed it too`, {
    hint: 'Ask somebody who may grant it to run it, or to grant it in the console; then run it again.',
  });
}

/** Whether a caller may grant something to the skill in a folder: where rules hold for them, these say so. */
async function mayGrant(engine: Engine, folder: string, request: Request): Promise<boolean> {
  if (engine.whole === undefined) return true;
  return (await import('../../access/tenant.ts')).hasRight(engine, request, 'grant', folder);
}
