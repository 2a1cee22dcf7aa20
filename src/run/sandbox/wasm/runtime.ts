import type { Environment } from '../../../core/environment.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { createBubblewrapRuntime } from '../native/bubblewrap.ts';
import { supervise } from '../supervise.ts';
import {
  type Outcome,
  type Readiness,
  type RunSpec,
  type SandboxRuntime,
  skillTarget,
  type Task,
  type Watcher,
} from '../types.ts';
import { type Execution, execute, notBegun, outcomeOf } from './child.ts';
import { componentSetup } from './component.ts';
import {
  type Context,
  createContext,
  memoryRemedy,
  needsSandbox,
  programFor,
  sandboxRemedy,
  type WasmOptions,
} from './context.ts';
import { memoryEnforcement, packFolder } from './memory.ts';
import type { Call, MemoryOrder, Order } from './protocol.ts';
import {
  findWasmtime,
  launchWasmtime,
  memorySetup,
  moduleOrder,
  moduleSetup,
  refined,
  type Setup,
} from './sandboxed.ts';

/** Runs WebAssembly modules and components. */
export function createWasmRuntime(environment: Environment, options: WasmOptions = {}): SandboxRuntime {
  const context = createContext(environment, options);
  let readiness: Promise<Readiness> | null = null;
  return {
    name: 'wasm',
    readiness: () => {
      readiness ??= readinessOf(context);
      return readiness;
    },
    run: (spec, watcher) => run(context, spec, watcher),
    seesSkillAt: () => skillTarget,
    // Leftovers of its runs are those of every sandboxed process.
    sweep: () => (environment.platform === 'linux' ? createBubblewrapRuntime(environment).sweep() : Promise.resolve()),
    close: () => context.pool.close(),
  };
}

async function readinessOf(context: Context): Promise<Readiness> {
  try {
    const place = context.place();
    programFor(place.kind === 'sandbox' ? 'module' : 'memory');
    const isNode = context.options.engine !== 'wasmtime';
    if (place.kind === 'memory' && !isNode) throw needsSandbox('wasmtime runs', place.why);
    if (place.kind === 'memory') return { ready: true, enforcement: memoryEnforcement() };
    const tried = await context.tryOut();
    if (tried.ready) return { ready: true, enforcement: isNode ? tried.enforcement.map(refined) : tried.enforcement };
    return { ...tried, remedy: `${tried.remedy} ${memoryRemedy}` };
  } catch (error) {
    const hint = error instanceof SkillError ? error.hint : undefined;
    return {
      ready: false,
      reason: reasonOf(error),
      remedy: hint === undefined ? memoryRemedy : `${hint} ${memoryRemedy}`,
    };
  }
}

async function run(context: Context, spec: RunSpec, watcher: Watcher): Promise<Outcome> {
  const began = performance.now();
  const { task } = spec;
  try {
    if (task.kind === 'module') return await runModule(context, task, { spec, watcher, began });
    if (task.kind === 'component') return await runComponent(context, task, { spec, watcher, began });
    return notBegun('engine_error', `a ${task.kind} is not WebAssembly`, began);
  } catch (error) {
    const hint = error instanceof SkillError && error.hint !== undefined ? `. ${error.hint}` : '';
    const isDenied = error instanceof SkillError && error.code === 'denied';
    return notBegun(isDenied ? 'denied' : 'engine_error', `${reasonOf(error)}${hint}`, began);
  }
}

type Module = Extract<Task, { kind: 'module' }>;
type Component = Extract<Task, { kind: 'component' }>;

/** One run under way. */
interface Run {
  readonly spec: RunSpec;
  readonly watcher: Watcher;
  /** Start of the run, by `performance.now()`. */
  readonly began: number;
}

async function runModule(context: Context, task: Module, run: Run): Promise<Outcome> {
  if (context.options.engine === 'wasmtime') return runByWasmtime(context, run);
  const setup = setupOf(context, task, run.spec);
  const order = moduleOrder(run.spec, task);
  const outcome =
    context.place().kind === 'memory'
      ? await runInMemory(context, setup, order, run)
      : await runBy(context, setup, { order }, run);
  return typeof outcome === 'string' ? notSetUp(context, outcome, run, memoryRemedy) : outcome;
}

/** The outcome of a run whose sandbox could not be set up: it is never run without one. */
async function notSetUp(context: Context, why: string, { began }: Run, otherwise = ''): Promise<Outcome> {
  const tried = await context.tryOut();
  // If an empty sandbox can be set up, the fault was of this run alone.
  const remedy = tried.ready ? '' : ` ${tried.remedy} ${otherwise}`;
  return notBegun('engine_error', `${why.replace(/\.?$/, '.')}${remedy}`.trimEnd(), began);
}

/** Runs a module in memory mode. The guest's view of its skill is read now, and not when the child was started. */
function runInMemory(context: Context, setup: Setup, order: Order, run: Run): Promise<Outcome | string> {
  const { files, bytes } = packFolder(run.spec.skillFolder);
  const whole: MemoryOrder = { ...order, files };
  return runBy(context, setup, { order: whole, attached: bytes }, run);
}

/** Returns the setup that the run needs. Throws if it may not be started. */
function setupOf(context: Context, task: Module, spec: RunSpec): Setup {
  const place = context.place();
  if (place.kind === 'sandbox') return moduleSetup(spec, task, programFor('module'));
  if (spec.mounts.length === 0) return memorySetup(spec, task, programFor('memory'));
  const why = `it is granted folders of this machine, which memory mode cannot hold it to (${place.why})`;
  throw new SkillError('denied', why, { hint: sandboxRemedy });
}

async function runComponent(context: Context, task: Component, run: Run): Promise<Outcome> {
  const place = context.place();
  if (place.kind === 'memory') throw needsSandbox('components run', place.why);
  const call: Call = { tool: task.tool, parameters: task.parameters, env: run.spec.env };
  const setup = await componentSetup(context.component(), task, run.spec);
  const outcome = await runBy(context, setup, { order: call }, run);
  return typeof outcome === 'string' ? notSetUp(context, outcome, run) : outcome;
}

type Ordered = Pick<Execution, 'order' | 'attached'>;

/** Runs an order; returns a sentence if the sandbox could not be set up. */
async function runBy(context: Context, setup: Setup, ordered: Ordered, run: Run): Promise<Outcome | string> {
  const { spec, watcher, began } = run;
  const child = (await context.pool.take(setup)) ?? (await context.start(setup, watcher.signal));
  const outcome = await execute(child, { ...ordered, stdin: spec.stdin, limits: spec.limits, watcher, began });
  const isFine = typeof outcome !== 'string' && outcome.reason !== 'engine_error';
  // Granted folders are checked before each run: one may have been replaced by then, or contain more guarded entries.
  const canWait = spec.mounts.length === 0;
  if (isFine && canWait && context.options.pool === 'warm') context.pool.fill(setup);
  return outcome;
}

async function runByWasmtime(context: Context, { spec, watcher, began }: Run): Promise<Outcome> {
  const place = context.place();
  if (place.kind === 'memory') throw needsSandbox('wasmtime runs', place.why);
  const launched = await launchWasmtime(place.machine(), spec, findWasmtime(context.options.wasmtime));
  const ending = await supervise(launched, { stdin: spec.stdin, limits: spec.limits, watcher, began });
  return outcomeOf(ending, launched.enforcement);
}
