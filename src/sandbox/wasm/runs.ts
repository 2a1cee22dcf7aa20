import { SkillError } from '../../kernel/errors.ts';
import { supervise } from '../supervise.ts';
import type { Outcome, RunSpec, Task, Watcher } from '../types.ts';
import { componentSetup } from './component.ts';
import type { Context } from './context.ts';
import { execute, notBegun, outcomeOf } from './execute.ts';
import { needsSandbox, programFor, sandboxRemedy } from './places.ts';
import type { Call, Order } from './protocol.ts';
import type { Setup } from './sandboxed.ts';
import { memorySetup, moduleOrder, moduleSetup } from './setups.ts';
import { findWasmtime, launchWasmtime } from './wasmtime.ts';

type Module = Extract<Task, { kind: 'module' }>;
type Component = Extract<Task, { kind: 'component' }>;

/** One run under way. */
export interface Run {
  readonly spec: RunSpec;
  readonly watcher: Watcher;
  /** By `performance.now()`. */
  readonly began: number;
}

export async function runModule(context: Context, task: Module, run: Run): Promise<Outcome> {
  if (context.options.engine === 'wasmtime') return runByWasmtime(context, run);
  const order = moduleOrder(run.spec, task);
  const outcome = await runBy(context, setupOf(context, task, run.spec), order, run);
  if (typeof outcome !== 'string') return outcome;
  // That may be the fault of this run. Others go without a sandbox only where one with nothing in it fails as well.
  const tried = await context.tryOut();
  if (tried.ready) return notBegun('engine_error', outcome, run.began);
  context.doWithout(`it is installed but does not work: ${tried.reason}`);
  const again = await runBy(context, setupOf(context, task, run.spec), order, run);
  return typeof again === 'string' ? notBegun('engine_error', 'Node cannot be started', run.began) : again;
}

/** What the run needs to be started with. Throws where it may not be. */
function setupOf(context: Context, task: Module, spec: RunSpec): Setup {
  const place = context.place();
  if (place.kind === 'sandbox') return moduleSetup(spec, task, programFor('module'));
  if (spec.mounts.length === 0) return memorySetup(spec, task, programFor('memory'));
  const why = `it is granted folders of this machine, and there is no sandbox to keep it in them (${place.why})`;
  throw new SkillError('denied', why, { hint: sandboxRemedy });
}

export async function runComponent(context: Context, task: Component, run: Run): Promise<Outcome> {
  const place = context.place();
  if (place.kind === 'memory') throw needsSandbox('components run', place.why);
  const call: Call = { tool: task.tool, parameters: task.parameters, env: run.spec.env };
  const setup = await componentSetup(context.component(), task, run.spec);
  const outcome = await runBy(context, setup, call, run);
  return typeof outcome === 'string' ? notBegun('engine_error', `${outcome}. ${sandboxRemedy}`, run.began) : outcome;
}

/** In words why, where the sandbox could not be set up. */
async function runBy(context: Context, setup: Setup, order: Order | Call, run: Run): Promise<Outcome | string> {
  const { spec, watcher, began } = run;
  const child = (await context.pool.take(setup)) ?? (await context.start(setup, watcher.signal));
  const outcome = await execute(child, { order, stdin: spec.stdin, limits: spec.limits, watcher, began });
  const isFine = typeof outcome !== 'string' && outcome.reason !== 'engine_error';
  if (isFine && context.options.pool === 'warm') context.pool.fill(setup);
  return outcome;
}

async function runByWasmtime(context: Context, { spec, watcher, began }: Run): Promise<Outcome> {
  const place = context.place();
  if (place.kind === 'memory') throw needsSandbox('wasmtime runs', place.why);
  const launched = await launchWasmtime(place.machine(), spec, findWasmtime(context.options.wasmtime));
  const ending = await supervise(launched, { stdin: spec.stdin, limits: spec.limits, watcher, began });
  return outcomeOf(ending, launched.enforcement);
}
