import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { isProgram, realPathOf } from '../../core/disk/files.ts';
import { isInside } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { traceparentOf } from '../../core/telemetry.ts';
import { cut, oneLine } from '../../core/text/text.ts';
import { checkShaping } from '../../run/output/shape.ts';
import { union } from '../../run/policy/capabilities.ts';
import { digestFiles, type FolderDigest, withOutside } from '../../run/policy/digest.ts';
import { permissionsFor } from '../../run/policy/effective.ts';
import { readGrant } from '../../run/policy/grants.ts';
import { atMost, limitsFor } from '../../run/policy/limits.ts';
import { readPolicy } from '../../run/policy/operator.ts';
import { checkRuntime } from '../../run/policy/request.ts';
import type { Capabilities, FileDigests, Permissions } from '../../run/policy/types.ts';
import { copyOfSkill } from '../../run/sandbox/skill-copy.ts';
import {
  type Enforcement,
  type RunSpec,
  type SandboxRuntime,
  scratchTarget,
  type Task,
} from '../../run/sandbox/types.ts';
import { argsSlot } from '../../run/tools/manifest/tool-work.ts';
import { argumentsFor } from '../../run/tools/parameters/arguments.ts';
import { checkParameters } from '../../run/tools/parameters/parameters.ts';
import { filledIn } from '../../run/tools/references.ts';
import type { SkillTool } from '../../run/tools/types.ts';
import type { Engine, Request } from '../engine.ts';
import { refuseKnown, scanMode } from '../scanning/quarantine.ts';
import { secretsFor } from './permissions/secrets.ts';
import type { Runtimes } from './runtimes.ts';
import { runtimeOf, type Target, targetInCopy } from './target.ts';
import type { ToolCall } from './types.ts';

/** Everything that is settled before anything runs. */
export interface Prepared {
  readonly runtime: SandboxRuntime;
  readonly permissions: Permissions;
  readonly spec: RunSpec;
  readonly secrets: Readonly<Record<string, string>>;
}

/** The capabilities that a call asks for: the tool's and the instance's. */
export function askedBy({ tool, instance }: Target): Capabilities {
  return instance === null ? tool.capabilities : union(tool.capabilities, instance.capabilities);
}

/** The digest of a skill as it stands now, which every record of an execution carries. */
export interface SkillDigest extends FolderDigest {
  /** Digest of the files in its own folder alone. */
  readonly own: FolderDigest;
}

export async function digestOf(
  { skill, toolbox }: Pick<Target, 'skill' | 'toolbox'>,
  { onProgress }: Request,
): Promise<SkillDigest> {
  const own = await digestFiles(skill.id, undefined, onProgress);
  return { ...withOutside(own, toolbox.outside), own };
}

/** Resolves what a call may do under the current grants, or throws an error that says what is missing. */
export async function permissionsOf({ environment }: Engine, target: Target, now: FolderDigest): Promise<Permissions> {
  const { skill, toolbox, tool } = target;
  const policy = await readPolicy(environment);
  const refusal = checkRuntime(policy, runtimeOf(target));
  if (refusal !== null) throw new SkillError('denied', refusal.message, { hint: refusal.remedy });
  const { grant, problem } = readGrant(environment, skill.id);
  return permissionsFor({
    policy,
    asked: askedBy(target),
    grant,
    grantProblem: problem,
    name: skill.fullName,
    digestNow: now.digest,
    filesNow: now.files,
    environment,
    limits: limitsFor(policy, toolbox.limits, tool.limits),
  });
}

/** The call to prepare, and for whom. */
interface Preparation {
  readonly target: Target;
  readonly call: ToolCall;
  readonly request: Request;
  /** Digest of the skill as it was found. */
  readonly now: SkillDigest;
  readonly id: string;
  /** Whether the call is going to be run, and from a copy of what was checked. */
  readonly willRun: boolean;
}

/** Checks a whole call: shaping, parameters, policy, grant, secrets, program, sandbox. Every error says what to do. */
export async function prepare(engine: Engine, runtimes: Runtimes, preparation: Preparation): Promise<Prepared> {
  const { target, call, request, now, id, willRun } = preparation;
  const { environment } = engine;
  const { skill, toolbox, tool, instance } = target;
  const values = checkParameters(tool.parameters, call.parameters);
  await checkShaping(call.shaping); // after the run, what the tool did would be in vain
  await refuseQuarantined(engine, target, now);
  const allowed = await permissionsOf(engine, target, now);
  const most = request.onBehalf?.limits;
  const permissions = most === undefined ? allowed : { ...allowed, limits: atMost(allowed.limits, most) };
  if (goesToWorkers(engine)) return prepareCall(engine, runtimes, preparation, permissions);
  const secrets = await secretsFor(
    environment,
    { skill: skill.fullName, subject: request.subject },
    permissions.secrets,
  );
  const runtime = await (goesUnsafe(engine, request, target) ? runtimes.unsafe() : runtimes.get(runtimeOf(target)));
  const specFrom = (folder: string): RunSpec => {
    const seenAt = runtime.seesSkillAt(folder);
    return {
      id,
      task: taskFor({ tool, values, folder, seenAt, files: now.files }),
      env: environmentFor({
        host: environment,
        set: [toolbox.env, instance?.env ?? {}],
        granted: permissions.env,
        secrets,
        skill: skill.fullName,
        seenAt,
        tool: tool.name,
        id,
      }),
      stdin: stdinOf(tool.stdin, values),
      skillFolder: folder,
      folder: tool.folder,
      mounts: permissions.mounts,
      network: permissions.network,
      limits: permissions.limits,
    };
  };
  const inPlace = specFrom(skill.id); // errors should name the folder that people know
  const readiness = await runtime.readiness();
  if (!readiness.ready) throw new SkillError('unavailable', readiness.reason, { hint: readiness.remedy });
  await refuseWatched(environment, readiness.enforcement);
  const isCopied = willRun && runtime.runsInPlace !== true;
  const spec = isCopied ? specFrom(await checkedCopy(engine, preparation)) : inPlace;
  return { runtime, permissions, spec, secrets };
}

/**
 * Prepares a call for a worker, which finds out by itself what it takes to run it there: its own folders, variables and
 * secrets, and what its own operator allows.
 */
async function prepareCall(
  engine: Engine,
  runtimes: Runtimes,
  preparation: Preparation,
  permissions: Permissions,
): Promise<Prepared> {
  const { target, call, request, now, id, willRun } = preparation;
  const { skill, tool } = target;
  const [outside] = Object.keys(target.toolbox.outside);
  if (outside !== undefined) {
    throw new SkillError('unavailable', `skill '${skill.fullName}' cannot run on workers: it depends on ${outside}`, {
      hint: "Put what that file says into the skill's own skill.toml.",
    });
  }
  const task: Task = {
    kind: 'call',
    skill: skill.fullName,
    digest: now.own.digest,
    tool: tool.name,
    instance: call.instance,
    parameters: JSON.stringify(call.parameters),
    shaping: JSON.stringify(call.shaping),
    runtime: runtimeOf(target),
    labels: tool.labels,
    idempotent: tool.idempotent,
    caller: {
      by: request.origin,
      ...(request.client !== undefined && { client: cut(request.client, longestName) }),
      // A person is known by every character of this: what looks alike is somebody else.
      ...(request.subject !== undefined && { subject: request.subject }),
      ...(request.requestId !== undefined && { request: cut(request.requestId, longestName) }),
      ...(request.trace !== undefined && {
        traceparent: traceparentOf(request.trace),
        tracestate: request.trace.state,
      }),
    },
  };
  // The worker reads the tool from the files themselves: they are only sent, and must not change meanwhile.
  const skillFolder = willRun ? await copyOfSkill(engine.environment, skill.id, now.own, request.onProgress) : skill.id;
  const spec: RunSpec = {
    ...{ id, task, skillFolder, env: {}, stdin: null, folder: tool.folder, mounts: [], network: [] },
    limits: permissions.limits,
  };
  // What is missing there is for the worker to say.
  return { runtime: await runtimes.cluster(), permissions: { ...permissions, missing: [] }, spec, secrets: {} };
}

const longestName = 200;

/**
 * Refuses a version that a scan has blocked, in whatever folder it lies; where it is wanted, nothing runs that was not
 * scanned.
 */
export async function refuseQuarantined(engine: Engine, { skill }: Target, { own }: SkillDigest): Promise<void> {
  const mode = await scanMode(engine.configuration.values, engine.environment);
  if (mode === 'off') return;
  if (mode === 'add') return refuseKnown(engine.environment, skill.fullName, own.digest);
  const { refuseBlocked } = await import('../scanning/scanning.ts');
  await refuseBlocked(engine, { folder: skill.id, name: skill.fullName });
}

/** Copies what was digested. The call must mean the same in the copy, or the files changed while they were read. */
async function checkedCopy(engine: Engine, { target, call, request, now }: Preparation): Promise<string> {
  const { skill } = target;
  const copy = await copyOfSkill(engine.environment, skill.id, now.own, request.onProgress);
  const copied = await targetInCopy(engine, target, copy, call);
  if (JSON.stringify(deciding(copied)) === JSON.stringify(deciding(target))) return copy;
  throw new SkillError('denied', `the files of skill '${skill.fullName}' were changed while the run was starting`, {
    hint: 'Run it again once nobody changes the skill.',
  });
}

function deciding({ tool, instance, toolbox: { env, limits, outside } }: Target) {
  return { tool, instance, env, limits, outside };
}

function stdinOf(parameter: string | null, values: Readonly<Record<string, unknown>>): Uint8Array | null {
  const value = parameter === null ? undefined : values[parameter];
  if (value === undefined) return null;
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Tells whether calls are handed to the workers of a cluster. */
export function goesToWorkers({ configuration }: Engine): boolean {
  return configuration.values.executions === 'cluster';
}

/**
 * Tells whether a call goes without a sandbox. Modules and containers keep theirs, as there is no way to run them
 * without; a program that uses the library has no say in it.
 */
export function goesUnsafe(engine: Engine, { origin }: Request, target: Target): boolean {
  const { configuration } = engine;
  if (goesToWorkers(engine)) return false;
  return configuration.values.unsafeNoSandbox && origin !== 'library' && runtimeOf(target) === 'native';
}

/** Variables that every run has in its environment, whatever it is granted. */
const base = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  HOME: scratchTarget,
  TMPDIR: scratchTarget,
} as const;

interface EnvironmentParts {
  readonly host: Environment;
  /** Plain values that the manifest sets, weakest first. */
  readonly set: readonly Readonly<Record<string, string>>[];
  /** Variables of the host that were granted. */
  readonly granted: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
  readonly skill: string;
  /** Path at which the run sees the folder of its skill. */
  readonly seenAt: string;
  readonly tool: string;
  readonly id: string;
}

/** The whole environment of a run: nothing of the host's gets in that is not named. */
function environmentFor({ host, set, granted, secrets, ...run }: EnvironmentParts): Record<string, string> {
  const inherited = granted.flatMap((name) => {
    const value = host.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const values = new Map([...inherited, ...Object.entries(secrets)]);
  const filled = Object.entries(Object.assign({}, ...set) as Record<string, string>).flatMap(([name, text]) => {
    const value = filledIn(text, (one) => values.get(one));
    return value === null ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(filled),
    ...Object.fromEntries(inherited),
    ...secrets,
    ...base,
    SKILL_NAME: run.skill,
    SKILL_DIR: run.seenAt,
    SKILL_TOOL: run.tool,
    REPERTOIRE_EXECUTION_ID: run.id,
  };
}

/** Refuses limits that would only be watched, where the operator wants them enforced. */
async function refuseWatched(environment: Environment, enforcement: readonly Enforcement[]): Promise<void> {
  const isWatched = enforcement.some(({ what, by }) => /^(?:memory|cpu)$/.test(what) && by.startsWith('watched'));
  if (!isWatched) return;
  const { watchedLimits, file } = await readPolicy(environment);
  if (watchedLimits) return;
  const message = `memory and processor time can only be watched here, which the policy in ${file} does not allow`;
  throw new SkillError('denied', message, {
    hint: 'Run it where control groups can be made (repertoire doctor --sandbox), or set `watched_limits` under [allow] to true.',
  });
}

type Values = Readonly<Record<string, unknown>>;

interface TaskParts {
  readonly tool: SkillTool;
  readonly values: Values;
  /** Real folder of the skill; `seenAt` is where the run sees it. */
  readonly folder: string;
  readonly seenAt: string;
  readonly files: FileDigests;
}

/** Builds the task to start from the manifest and the caller's values. */
function taskFor(parts: TaskParts): Task {
  const { tool, values, seenAt } = parts;
  const { work } = tool;
  switch (work.kind) {
    case 'command':
      return commandTask(parts, argumentsFor(work.command, values, seenAt));
    case 'script':
      return scriptTask(parts, work);
    case 'module':
      return { ...module(parts, work.file), kind: 'module', args: argumentsFor(work.command, values, seenAt) };
    case 'component':
      return { ...module(parts, work.file), kind: 'component', tool: tool.name, parameters: JSON.stringify(values) };
    case 'container':
      return { kind: 'container', image: work.image, args: argumentsFor(work.command, values, seenAt) };
  }
}

function commandTask({ folder, seenAt }: TaskParts, [word = '', ...args]: readonly string[]): Task {
  const inSkill = isInside(seenAt, word) ? `.${word.slice(seenAt.length)}` : word;
  return { kind: 'command', program: findProgram(inSkill, folder, 'executable'), args };
}

function scriptTask(
  { folder, seenAt, values }: TaskParts,
  { file, interpreter }: { readonly file: string; readonly interpreter: readonly string[] },
): Task {
  const path = findProgram(`./${file}`, folder, 'file');
  const given = argumentsFor([argsSlot], values);
  const [word, ...options] = interpreter;
  if (word === undefined) return { kind: 'command', program: path, args: given };
  const script = join(seenAt, path.slice(folder.length));
  const program = findProgram(word, folder, 'executable');
  return { kind: 'command', program, args: [...options, script, ...given] };
}

function module({ folder, files }: TaskParts, file: string): { readonly file: string; readonly digest: string } {
  const path = findProgram(`./${file}`, folder, 'file');
  const digest = /^sha256:([0-9a-f]{64})/.exec(files[path.slice(folder.length + 1)] ?? '')?.[1];
  if (digest === undefined) throw new SkillError('unavailable', `${file} is not a regular file inside the skill`);
  return { file: path, digest };
}

/** Folders to find programs in, whatever the caller's PATH: it might hold a folder that anyone can write to. */
const folders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
/** Further folders on a Mac. */
const moreFolders = ['/opt/homebrew/bin', '/opt/local/bin'];

/** Finds the program of a command's first word: `./x` and `scripts/x` are the skill's, a bare word is the machine's. */
function findProgram(word: string, skillFolder: string, needs: 'executable' | 'file'): string {
  if (!word.includes('/')) return findOnMachine(word);
  if (isAbsolute(word)) return absolute(word);
  const path = realPathOf(resolve(skillFolder, word));
  if (!path.ok || !isInside(skillFolder, path.value)) {
    throw new SkillError('unavailable', `${oneLine(word)} is not a file of the skill`, {
      hint: "Name a program of the skill by its path from the skill's folder: scripts/run.sh.",
    });
  }
  if (needs === 'executable' && !isProgram(path.value)) {
    throw new SkillError('unavailable', `${oneLine(word)} cannot be executed`, {
      hint: `Make it so: chmod +x ${path.value}`,
    });
  }
  return path.value;
}

function absolute(word: string): string {
  if (isProgram(word)) return word;
  throw new SkillError('unavailable', `the program ${oneLine(word)} was not found on this machine`, {
    hint: 'Install it, or name a program by its bare name.',
  });
}

function findOnMachine(name: string): string {
  // The Node that runs us is the one a script gets, wherever it is installed.
  if (name === 'node') return process.execPath;
  const beside = dirname(process.execPath);
  const found = [...folders, ...moreFolders, beside].map((folder) => join(folder, name)).find(isProgram);
  if (found !== undefined) return found;
  throw new SkillError('unavailable', `${oneLine(name)} is not installed on this machine`, {
    hint: `Install ${oneLine(basename(name))}, in one of ${folders.join(', ')}.`,
  });
}
