import type { Environment } from '../../kernel/environment.ts';
import { reasonOf, SkillError } from '../../kernel/errors.ts';
import { createBubblewrapRuntime } from '../native/bubblewrap.ts';
import {
  type Outcome,
  type Readiness,
  type RunSpec,
  type SandboxRuntime,
  skillTarget,
  type Watcher,
} from '../types.ts';
import { componentSetup } from './component.ts';
import { type Context, createContext, type WasmOptions } from './context.ts';
import { notBegun } from './execute.ts';
import { memoryEnforcement } from './memory.ts';
import { memoryRemedy, needsSandbox, programFor } from './places.ts';
import { runComponent, runModule } from './runs.ts';
import { refined } from './sandboxed.ts';
import { moduleSetup } from './setups.ts';

/** Runs WebAssembly, modules and components. */
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
    warm: (spec) => void warm(context, spec).catch(() => undefined),
    seesSkillAt: () => skillTarget,
    // What its runs leave behind is what every sandboxed process leaves.
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

/** Where children are kept in by nothing but what they are offered, starting them early gains too little. */
async function warm(context: Context, spec: RunSpec): Promise<void> {
  const { options, pool } = context;
  const { task } = spec;
  if (options.pool !== 'warm' || options.engine === 'wasmtime' || context.place().kind !== 'sandbox') return;
  if (task.kind === 'module') pool.fill(moduleSetup(spec, task, programFor('module')));
  if (task.kind === 'component') pool.fill(await componentSetup(context.component(), task, spec));
}
