import { SkillError } from '../../core/errors.ts';
import { looksSecret } from '../../core/text/secret-names.ts';
import type { Permissions } from '../../run/policy/types.ts';
import { type Enforcement, scratchTarget, type Task } from '../../run/sandbox/types.ts';
import { argumentsFor } from '../../run/tools/parameters/arguments.ts';
import { checkParameters } from '../../run/tools/parameters/parameters.ts';
import type { SkillTool } from '../../run/tools/types.ts';
import type { Engine, Request } from '../engine.ts';
import { overshadowed } from './permissions/overshadowed.ts';
import { digestOf, prepare } from './prepare.ts';
import { runnerOf } from './runner.ts';
import { runtimeOf, targetOf } from './target.ts';
import type { DryRun, ToolCall } from './types.ts';

/** Does everything up to the run itself: what would be refused is refused here too, and for the same reason. */
export async function dryRun(engine: Engine, call: ToolCall, request: Request): Promise<DryRun> {
  const target = await targetOf(engine, call, request);
  const other = await overshadowed(engine, target.skill);
  if (other !== null) request.warn?.(other);
  const { runtimes } = await runnerOf(engine);
  const now = await digestOf(target, request);
  const preparation = { target, call, request, now, id: 'dry-run', willRun: false };
  const { runtime, spec, permissions, secrets } = await prepare(engine, runtimes, preparation).catch((error: unknown) =>
    Promise.reject(withCommand(error, target.tool, call)),
  );
  const lack = await runtime.lacks?.(spec.task);
  if (lack) throw new SkillError('unavailable', lack.reason, { hint: lack.remedy });
  const readiness = await runtime.readiness();
  const hidden = Object.values(secrets); // a manifest may put one into a variable of another name
  return {
    skill: target.skill.fullName,
    tool: target.tool.name,
    runtime: runtimeOf(target),
    digest: now.digest,
    argv: argvOf(spec.task),
    folder: spec.folder === 'skill' ? runtime.seesSkillAt(spec.skillFolder) : scratchTarget,
    env: Object.fromEntries(
      Object.entries(spec.env).map(([name, value]) => [
        name,
        Object.hasOwn(secrets, name) || looksSecret(name) || hidden.some((one) => value.includes(one))
          ? '(secret)'
          : value,
      ]),
    ),
    stdinBytes: spec.stdin?.length ?? 0,
    permissions,
    enforcement: readiness.ready ? readiness.enforcement.map((one) => withHosts(one, permissions)) : [],
  };
}

/** A refusal for lack of something on this machine, with the command that was asked about. */
function withCommand(error: unknown, { work, parameters }: SkillTool, call: ToolCall): unknown {
  if (!(error instanceof SkillError) || error.code !== 'unavailable' || work.kind !== 'command') return error;
  const argv = argumentsFor(work.command, checkParameters(parameters, call.parameters));
  const hint = `${error.hint ?? ''} It would run ${JSON.stringify(argv)}.`.trimStart();
  return new SkillError(error.code, error.message, { hint, cause: error });
}

/**
 * The enforcement for one run. A runtime reports how it keeps runs off the network; one that may reach some hosts does
 * so through a proxy.
 */
function withHosts(one: Enforcement, { network }: Permissions): Enforcement {
  return one.what === 'network' && network.length > 0
    ? { what: 'network', by: 'no network but the egress proxy' }
    : one;
}

function argvOf(task: Task): readonly string[] {
  switch (task.kind) {
    case 'command':
      return [task.program, ...task.args];
    case 'module':
      return [task.file, ...task.args];
    case 'component':
      return [task.file, task.tool, task.parameters];
    case 'container':
      return [task.image, ...task.args];
    case 'call':
      return [task.skill, task.tool, task.parameters];
  }
}
