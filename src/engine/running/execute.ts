import { randomUUID } from 'node:crypto';
import { type ErrorCode, reasonOf, SkillError } from '../../core/errors.ts';
import { cut } from '../../core/text/text.ts';
import { createRedactor, createTextRedactor } from '../../run/audit/redact.ts';
import { sanitise } from '../../run/audit/sanitise.ts';
import type { AuditStart } from '../../run/audit/types.ts';
import { keepOutput, type OutputRecorder } from '../../run/output/kept.ts';
import { runGuarded } from '../../run/sandbox/guards.ts';
import type { ExitReason, Outcome, Stream, Watcher } from '../../run/sandbox/types.ts';
import type { Engine, Request } from '../engine.ts';
import type { Span } from '../telemetry/telemetry.ts';
import { type FolderUse, folderUseOf, refuseOther } from './admission/folder-use.ts';
import { overshadowed } from './permissions/overshadowed.ts';
import { secretsToHide } from './permissions/secrets.ts';
import { stateOfGrants, watchGrants } from './permissions/watch-grants.ts';
import {
  askedBy,
  digestOf,
  goesToWorkers,
  goesUnsafe,
  type Prepared,
  permissionsOf,
  prepare,
  refuseQuarantined,
  type SkillDigest,
} from './prepare.ts';
import { type Collected, createCollected, type Identity, refusedResult, resultOf } from './result.ts';
import { type Runner, runnerOf } from './runner.ts';
import { runtimeOf, type Target, targetOf } from './target.ts';
import type { Execution, ExecutionResult, ToolCall, Usage } from './types.ts';
import { whoAsks } from './who.ts';
import { refuseWrong } from './wrong-settings.ts';

/** The reason with which callers cancel. */
const cancelled = new SkillError('usage', 'it was cancelled');

/** Progress text while the tool runs. */
const running = 'Running';

interface Warning {
  /** Callback for what whoever called should know. */
  warn(text: string): void;
}

/** One call under way. */
interface Call {
  readonly engine: Engine;
  readonly runner: Runner;
  readonly target: Target;
  readonly asked: ToolCall;
  readonly request: Request;
  readonly id: string;
  readonly signal: AbortSignal;
  /** Ends the call for a reason that is reported. */
  readonly end: (why: unknown) => void;
  readonly output: Collected;
  /** Keeps the output for later; missing where nobody could come back to it. */
  readonly recorder: OutputRecorder | undefined;
  /** Aborted when it must go on without its caller. */
  readonly detached: AbortSignal;
  /** Called when it no longer needs this process. */
  readonly onKept: () => void;
  readonly started: number;
  collect(stream: Stream, bytes: Uint8Array): void;
  /** Callback for resource usage; missing where nobody wants to know. */
  readonly measure?: (usage: Usage) => void;
}

/**
 * Runs a tool. A skill or tool that is not there is thrown; everything after that is a result. Whatever comes of the
 * call, it leaves its record in the audit log before anyone is notified.
 */
export async function execute(engine: Engine, asked: ToolCall, given: Request): Promise<Execution> {
  const target = await recordingAbsence(engine, asked, given, () => {
    refuseWrong(engine.configuration.problems);
    return targetOf(engine, asked, given);
  });
  const span = spanFor(engine, target, given);
  const request = span?.request ?? given;
  const runner = await runnerOf(engine);
  const cancelling = new AbortController();
  const cancel = (): void => cancelling.abort(cancelled);
  const { signal, onUsage } = request;
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  const release = (): void => signal?.removeEventListener('abort', cancel);
  const detaching = new AbortController();
  let onKept: () => void = () => {};
  const kept = new Promise<void>((resolve) => {
    onKept = resolve;
  });
  const output = createCollected();
  const id = request.onBehalf?.id ?? randomUUID();
  const recorder = keepsOutput(engine, request) ? keepOutput(engine.environment, id) : undefined;
  const attempt = (tell: () => void): void => {
    try {
      tell();
    } catch (error) {
      cancelling.abort(error); // the listener can take no more, as after `| head`
    }
  };
  const call: Call = {
    engine,
    runner,
    target,
    asked,
    request,
    id,
    signal: cancelling.signal,
    end: (why) => cancelling.abort(why),
    output,
    recorder,
    detached: detaching.signal,
    onKept,
    started: Date.now(),
    collect(stream, bytes) {
      if (bytes.length === 0) return;
      output.add(stream, bytes);
      recorder?.add(stream, bytes);
      request.onProgress?.({ what: running, outputBytes: output.size });
      attempt(() => request.onOutput?.(stream, bytes));
    },
    ...(onUsage && { measure: (usage: Usage) => attempt(() => onUsage(usage)) }),
  };
  return {
    id: call.id,
    skill: target.skill.fullName,
    tool: target.tool.name,
    startedAt: new Date(call.started).toISOString(),
    result: perform(call)
      .then((result) => endSpan(span, result))
      .finally(release),
    partial: (stream, from) => output.bytes(stream, from),
    cancel,
    release,
    ...(goesToWorkers(engine) && {
      keep() {
        detaching.abort();
        return kept;
      },
    }),
  };
}

/** Begins the span of an execution: on a server the part that waits for a worker, there the part that does the work. */
function spanFor(engine: Engine, { skill, tool }: Target, request: Request): Span<Request> | undefined {
  const remoteKind = goesToWorkers(engine) ? 'client' : 'internal';
  const attributes = {
    ...{
      'repertoire.skill.name': skill.fullName,
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool.name,
    },
    ...{ 'repertoire.server': request.onBehalf?.server, 'repertoire.worker': request.onBehalf?.worker },
    'repertoire.request.id': request.requestId,
  };
  const kind = request.onBehalf === undefined ? remoteKind : 'server';
  return engine.telemetry?.begin({ name: `execute_tool ${tool.name}`, kind, attributes }, request);
}

function endSpan(span: Span<Request> | undefined, result: ExecutionResult): ExecutionResult {
  const { id, reason, exitCode } = result;
  const isFine = reason === 'exited' && exitCode === 0;
  const facts = { 'repertoire.execution.id': id, 'repertoire.execution.result': reason };
  span?.end({ ...facts, 'process.exit.code': exitCode ?? undefined }, isFine ? undefined : reason);
  return result;
}

/** Whether output is kept: of runs on a server, since other callers hold it themselves. */
function keepsOutput({ configuration }: Engine, { origin }: Request): boolean {
  return configuration.values.keepOutput && (origin === 'console' || origin === 'mcp');
}

type Asked = Pick<ToolCall, 'skill' | 'tool' | 'parameters'>;

const longestName = 200;

/** Finds what is to be run. If it does not exist, the audit log records that it was asked for. */
export async function recordingAbsence<T>(
  engine: Engine,
  { skill, tool, parameters }: Asked,
  request: Request,
  find: () => Promise<T>,
): Promise<T> {
  const started = Date.now();
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof SkillError) || error.code === 'usage') throw error;
    (await runnerOf(engine)).audit.end({
      id: request.onBehalf?.id ?? randomUUID(),
      skill: cut(skill, longestName),
      folder: '',
      digest: '',
      tool: cut(tool, longestName),
      runtime: '',
      parameters: sanitise(parameters, []),
      ...whoAsks(engine, request),
      unsafe: false,
      result: reasonFor(error),
      exitCode: null,
      message: error.message.split('\n', 1)[0] ?? '',
      durationMs: Date.now() - started,
      outputBytes: 0,
      enforcement: {},
    });
    throw error;
  }
}

async function perform(call: Call): Promise<ExecutionResult> {
  const { engine, runner, asked, request, id, signal } = call;
  let { target } = call;
  const isRemote = goesToWorkers(engine);
  let digest = '';
  let allowed: Allowed | undefined;
  let leave: (() => void) | undefined;
  let unwatch: (() => void) | undefined;
  // Warnings that nobody could be given before the run, which the result has to carry.
  const unsaid: string[] = [];
  const warn = request.warn ?? ((text: string) => unsaid.push(text));
  const complete = (result: ExecutionResult): ExecutionResult => ({ ...result, notes: [...unsaid, ...result.notes] });
  const check = async (): Promise<Prepared> => {
    const since = stateOfGrants(engine.environment, target.skill.id);
    const now = await digestOf(target, request);
    digest = now.digest;
    allowed = { digest: now, since };
    request.onProgress?.({ what: 'Getting ready' });
    return prepare(engine, runner.runtimes, { target, call: asked, request, now, id, willRun: true });
  };
  try {
    const other = await overshadowed(engine, target.skill);
    if (other !== null) warn(other);
    let prepared = await check();
    let waited = false;
    const folders = foldersOf(call, prepared, target);
    const waits = (): void => {
      waited = true;
      request.onProgress?.({ what: 'Waiting for other runs' });
    };
    // What workers run takes no place here: they have admissions of their own.
    if (!isRemote) leave = await (await runner.admission()).enter(target.skill.id, signal, { folders, waits });
    await runner.tidy();
    if (waited) {
      // Meanwhile files may have changed, links may have been moved and grants revoked: earlier checks are void.
      target = await targetOf(engine, asked, request);
      prepared = await check();
      refuseOther(folders, foldersOf(call, prepared, target));
    }
    if (allowed !== undefined) unwatch = watchPermissions(engine, target, allowed, call.end);
    // The word of the server was on its way meanwhile: whoever waits need not wait for it as well.
    if ((await request.onBehalf?.wanted) === false) throw cancelled;
    return complete(await run({ ...call, target, warn }, { id, target, digest }, prepared));
  } catch (error) {
    return complete(await refuse({ ...call, target }, { id, target, digest }, error));
  } finally {
    call.recorder?.close();
    unwatch?.();
    leave?.();
  }
}

/** The folders that other runs wait for. None without a sandbox: such a run is unconfined, and may start us again. */
function foldersOf({ engine, request }: Call, { spec }: Prepared, target: Target): FolderUse | null {
  return goesUnsafe(engine, request, target) ? null : folderUseOf(spec);
}

/** Runs the tool. From here on there may be effects on the world: the first record is written, or nothing is run. */
async function run(call: Call & Warning, identity: Identity, prepared: Prepared): Promise<ExecutionResult> {
  const { runner, signal, output, asked } = call;
  const { audit } = runner;
  const { runtime, spec, secrets, permissions } = prepared;
  const values = Object.values(secrets);
  const facts = factsOf(call, identity, values);
  audit.start(facts);
  const record = once((outcome: Outcome) => {
    audit.end({
      ...facts,
      ...(outcome.worker !== undefined && { worker: outcome.worker }),
      result: outcome.reason,
      exitCode: outcome.exitCode,
      message: outcome.message,
      durationMs: Math.round(outcome.durationMs),
      outputBytes: output.size,
      enforcement: Object.fromEntries(outcome.enforcement.map(({ what, by }) => [what, by])),
    });
  });
  // The engine may end before the run does; its record is written all the same.
  const cutOff = (): void => record(cutOffOutcome(call.started));
  runner.underWay.add(cutOff);
  try {
    call.request.onProgress?.({ what: running });
    const redactors = { stdout: createRedactor(values), stderr: createRedactor(values) };
    const watcher: Watcher = {
      onOutput: (stream, bytes) => call.collect(stream, redactors[stream].push(bytes)),
      ...(call.measure && { onUsage: call.measure }),
      onRestart: (why) => {
        output.clear();
        call.warn(why);
      },
      detached: call.detached,
      onKept: call.onKept,
      signal,
    };
    const outcome = await (facts.unsafe ? runtime.run(spec, watcher) : runGuarded(runtime, spec, watcher));
    for (const stream of ['stdout', 'stderr'] as const) call.collect(stream, redactors[stream].end());
    const told = withoutSecrets(withReason(outcome, signal), values);
    record(told);
    call.request.onBehalf?.onOutcome(told);
    return await resultOf(identity, told, output, asked.shaping, permissions);
  } finally {
    runner.underWay.delete(cutOff);
  }
}

/** Adds the reason to a run that was cancelled, unless the caller wished it. */
function withReason(outcome: Outcome, { aborted, reason }: AbortSignal): Outcome {
  if (outcome.reason !== 'cancelled' || !aborted || reason === cancelled) return outcome;
  return { ...outcome, message: `${outcome.message}: ${reasonOf(reason)}` };
}

/** Removes secrets from an outcome: the message of a failure may quote what was passed in. */
function withoutSecrets<O extends Outcome>(outcome: O, secrets: readonly string[]): O {
  const clean = createTextRedactor(secrets);
  return {
    ...outcome,
    message: outcome.message === null ? null : clean(outcome.message),
    denials: outcome.denials.map(({ what, detail }) => ({ what, detail: clean(detail) })),
  };
}

function factsOf(
  { engine, asked, request, target }: Call,
  { id, digest }: Identity,
  secrets: readonly string[],
): AuditStart {
  return {
    id,
    skill: target.skill.fullName,
    folder: target.skill.id,
    digest,
    tool: target.tool.name,
    runtime: runtimeOf(target),
    parameters: sanitise(asked.parameters, secrets),
    ...whoAsks(engine, request),
    unsafe: goesUnsafe(engine, request, target),
  };
}

/** Refuses a call, and writes one record of what was not allowed to run, or could not. */
async function refuse(call: Call, identity: Identity, error: unknown): Promise<ExecutionResult> {
  const { engine, target } = call;
  const durationMs = Date.now() - call.started;
  const reason = call.signal.aborted ? 'cancelled' : reasonFor(error);
  const { subject } = call.request;
  const owner = { skill: target.skill.fullName, subject };
  const secrets = await secretsToHide(engine.environment, owner, askedBy(target).secrets);
  const result = withoutSecrets(refusedResult(identity, error, reason, durationMs), secrets);
  try {
    call.runner.audit.end({
      ...factsOf(call, identity, secrets),
      result: reason,
      exitCode: null,
      message: result.message,
      durationMs,
      outputBytes: 0,
      enforcement: {},
    });
  } catch (failure) {
    return refusedResult(identity, failure, 'engine_error', durationMs);
  }
  return result;
}

/** Reasons why nothing ran, by error code; for any other code, the machine could not do it. */
const reasons: Partial<Readonly<Record<ErrorCode, ExitReason>>> = {
  denied: 'denied',
  usage: 'invalid_parameters',
  'invalid-name': 'not_found',
  'not-found': 'not_found',
  ambiguous: 'not_found',
};

function reasonFor(error: unknown): ExitReason {
  return (error instanceof SkillError ? reasons[error.code] : undefined) ?? 'engine_error';
}

function cutOffOutcome(started: number): Outcome {
  return {
    reason: 'cancelled',
    exitCode: null,
    signal: null,
    message: 'the program that ran it ended',
    durationMs: Date.now() - started,
    enforcement: [],
    denials: [],
  };
}

function once<T>(work: (value: T) => void): (value: T) => void {
  let isDone = false;
  return (value) => {
    if (isDone) return;
    isDone = true;
    work(value);
  };
}

/** The basis on which a run was allowed. */
interface Allowed {
  /** Files that the grant is for. */
  readonly digest: SkillDigest;
  /** State of the grants before the grant was looked up. */
  readonly since: string;
}

/** Calls back when a run under way would no longer be allowed what it asks for. Returns a function that ends this. */
function watchPermissions(
  engine: Engine,
  target: Target,
  { digest, since }: Allowed,
  revoked: (why: SkillError) => void,
): () => void {
  const denied = async (what: string, check: () => Promise<unknown>): Promise<void> => {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof SkillError) || error.code !== 'denied') return; // the next run reports it
      revoked(new SkillError('denied', `${what}: ${error.message}`, { cause: error }));
    }
  };
  const check = async (): Promise<void> => {
    await denied('its grant was revoked or changed', () => permissionsOf(engine, target, digest));
    await denied('it was blocked', () => refuseQuarantined(engine, target, digest));
  };
  return watchGrants(engine.environment, () => void check(), target.skill.id, since);
}
