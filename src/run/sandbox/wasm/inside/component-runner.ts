import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { attempt } from '../../../../core/attempt.ts';
import type { Call, ComponentPlan } from '../protocol.ts';
import type { WitFunction, WitType } from '../wit/types.ts';
import { argumentsOf, camelCase, toJson } from '../wit/values.ts';
import { isProgram, type World } from '../wit/world.ts';
import { breakOff, planOf, report, settingsFrom, takeOrder, wordsOf, writeAll } from './inside.ts';

// Calls one function of a component. Nobody has read the JavaScript that the component was turned into, so this process
// is in the sandbox for its sake too.
type Value = unknown;
type Functions = Readonly<Record<string, Value>>;
interface Generated {
  readonly instantiate: (
    module: (name: string) => WebAssembly.Module,
    imports: Functions,
    make: (module: WebAssembly.Module, imports?: WebAssembly.Imports) => WebAssembly.Instance,
  ) => Functions | Promise<Functions>;
}
type Shim = typeof import('@bytecodealliance/preview2-shim/instantiation');

/** Thrown when a component ends the program by itself, with an exit code. */
class Exit extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`it ended with code ${code}`);
    this.code = code;
  }
}

const plan = planOf<ComponentPlan>();
const instances: WebAssembly.Instance[] = [];

async function main(): Promise<void> {
  const { instantiate } = (await import(pathToFileURL(join(plan.folder, 'component.js')).href)) as Generated;
  const { imports: needs, world } = JSON.parse(readFileSync(join(plan.folder, 'world.json'), 'utf8')) as {
    imports: string[];
    world: World;
  };
  const needsSystem = needs.some((name) => name.startsWith('wasi:'));
  const shim = needsSystem ? await import('@bytecodealliance/preview2-shim/instantiation') : null;
  report({ kind: 'ready' });
  const call = takeOrder<Call>();
  if (call === null) return;
  const planned = orderIn(world, call);
  const imports = withoutPrototypes({ ...systemFor(shim, call, planned.args), ...settingsFrom(call.env) });
  const functions = await instantiate(load, imports, (module, needed = {}) => {
    const instance = new WebAssembly.Instance(module, ownImports(module, needed));
    instances.push(instance);
    return instance;
  });
  run(world, functions, planned);
}

/** Removes prototypes: a component may request a name such as `constructor`, and must not find it. */
function withoutPrototypes(interfaces: Functions): Functions {
  const bare = <T extends object>(from: T): T => Object.assign(Object.create(null) as T, from);
  return bare(Object.fromEntries(Object.entries(interfaces).map(([name, one]) => [name, bare(Object(one) as object)])));
}

/** Returns only the imports that were provided for a module, and nothing that every object inherits. */
function ownImports(module: WebAssembly.Module, given: WebAssembly.Imports): WebAssembly.Imports {
  const imports = Object.create(null) as WebAssembly.Imports;
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    const source = Object.hasOwn(given, from) ? given[from] : undefined;
    if (source === undefined || !Object.hasOwn(source, name)) throw new Error(`nothing is there for ${from}.${name}`);
    imports[from] ??= Object.create(null) as Record<string, unknown>;
    imports[from][name] = source[name];
  }
  return imports;
}

function load(name: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(join(plan.folder, name)));
}

function systemFor(shim: Shim | null, { env }: Call, args: readonly string[]): Functions {
  if (shim === null) return {};
  const sandbox = {
    preopens: { ...plan.preopens },
    env: { ...env },
    args: ['component', ...args],
    enableNetwork: false,
  };
  const exit = {
    exit: ({ tag }: { tag: 'ok' | 'err' }) => {
      throw new Exit(tag === 'ok' ? 0 : 1);
    },
    exitWithCode: (code: number) => {
      throw new Exit(code);
    },
  };
  return { ...new shim.WASIShim({ sandbox }).getImportObject(), 'wasi:cli/exit': exit };
}

interface Planned {
  readonly target: WitFunction;
  readonly values: readonly Value[];
  /** Arguments for a program, which takes them from the system. */
  readonly args: readonly string[];
}

/** Returns the function to call, with its arguments. */
function orderIn(world: World, { tool, parameters }: Call): Planned {
  if (world.kind === 'listed') {
    if (tool === null) return { target: world.list, values: [], args: [] };
    const given = world.takes === 'json' ? parameters : pairsFrom(objectIn(parameters));
    return { target: world.run, values: [tool, given], args: [] };
  }
  const given = objectIn(parameters);
  const target = tool !== null && Object.hasOwn(world.functions, tool) ? world.functions[tool] : undefined;
  if (target === undefined) throw new Error(`it has no tool ${tool}`);
  if (isProgram(target)) return { target, values: [], args: (given['args'] ?? []) as string[] };
  return { target, values: argumentsOf(target.parameters, given), args: [] };
}

function objectIn(json: string): Readonly<Record<string, Value>> {
  return JSON.parse(json) as Record<string, Value>;
}

/** Finds a function among the exports themselves, or in the interface that exports it. */
function functionIn(functions: Functions, { name, interface: place }: WitFunction): (...values: Value[]) => Value {
  const from = place === null ? functions : (functions[place] as Functions | undefined);
  const found = from?.[camelCase(name)];
  if (typeof found !== 'function') throw new Error(`it has no function ${name}`);
  return (...values) => (found as (...all: Value[]) => Value)(...values);
}

function run(world: World, functions: Functions, { target, values }: Planned): void {
  const call = functionIn(functions, target);
  try {
    const { output, failure } = outcomeOf(
      world,
      resultOf(target.result, () => call(...values)),
    );
    writeAll(1, Buffer.from(textOf(output), 'utf8'));
    // A program has reported its own errors.
    if (failure !== undefined && !isProgram(target)) writeAll(2, Buffer.from(`${textOf(failure)}\n`, 'utf8'));
    report({ kind: 'exited', code: failure === undefined ? 0 : 1 });
  } catch (error) {
    if (error instanceof Exit) report({ kind: 'exited', code: error.code });
    else breakOff(error, memoryInUse());
  }
}

function memoryInUse(): number {
  const sizes = instances.flatMap(({ exports }) =>
    Object.values(exports).map((value) => (value instanceof WebAssembly.Memory ? value.buffer.byteLength : 0)),
  );
  return Math.max(0, ...sizes);
}

/** The result of a function: a value as JSON, or an error as JSON. */
type Given = { readonly ok: unknown } | { readonly err: unknown };

/** The output of a tool, and the failure if there was one. */
interface ToolOutcome {
  readonly output: unknown;
  readonly failure?: unknown;
}

/** Calls a function. A result that is an error arrives as an exception that carries it. */
function resultOf(type: WitType | null, call: () => unknown): Given {
  if (type?.kind !== 'result') return { ok: toJson(type, call()) };
  try {
    return { ok: toJson(type.ok, call()) };
  } catch (error) {
    if (error instanceof Error && 'payload' in error) return { err: toJson(type.err, error.payload) };
    throw error;
  }
}

/** Names with their values: text unchanged, everything else as JSON. */
function pairsFrom(values: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  return Object.entries(values).map(([name, value]) => [name, textOf(value)]);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/**
 * Returns the outcome of a call. A function that runs all tools of a component reports success in its answer; any other
 * just returns its result.
 */
function outcomeOf(world: World, given: Given): ToolOutcome {
  if ('err' in given) return { output: null, failure: given.err ?? 'it failed and does not say why' };
  if (world.kind === 'functions') return { output: given.ok };
  return answered(parsed(given.ok));
}

function answered(answer: unknown): ToolOutcome {
  if (!isRecord(answer)) return { output: answer };
  if ('err' in answer) return { output: null, failure: answer['err'] };
  const inner = 'ok' in answer ? answer['ok'] : answer;
  if (!isRecord(inner) || !('output' in inner || 'success' in inner)) return { output: inner };
  const { success, output } = inner;
  if (success !== false) return { output };
  const why = ['error-message', 'error_message', 'errorMessage'].map((name) => inner[name]).find((one) => one != null);
  return { output, failure: why ?? 'the tool failed and did not say why' };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return attempt(() => JSON.parse(value), value);
}

try {
  await main();
} catch (error) {
  report({ kind: 'unfit', message: wordsOf(error) });
}
