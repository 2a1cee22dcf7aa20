import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { breakOff, planOf, report, takeOrder, wordsOf, writeAll } from './inside.ts';
import type { Call, ComponentPlan } from './protocol.ts';

// One call of one function of a component. What it was turned into is JavaScript that nobody has read: this process is
// in the sandbox for its sake too.
type Value = unknown;
type Functions = Readonly<Record<string, Value>>;
interface Generated {
  readonly instantiate: (
    module: (name: string) => WebAssembly.Module,
    imports: Readonly<Record<string, Value>>,
    make: (module: WebAssembly.Module, imports?: WebAssembly.Imports) => WebAssembly.Instance,
  ) => Functions | Promise<Functions>;
}
interface Shim {
  WASIShim: new (options: { sandbox: object }) => { getImportObject(): Readonly<Record<string, Value>> };
}

const plan = planOf<ComponentPlan>();
const instances: WebAssembly.Instance[] = [];
try {
  await main();
} catch (error) {
  report({ kind: 'unfit', message: wordsOf(error) });
}

async function main(): Promise<void> {
  const { instantiate } = (await import(at(plan.folder, 'component.js'))) as Generated;
  const needs = JSON.parse(readFileSync(join(plan.folder, 'imports.json'), 'utf8')) as string[];
  const needsSystem = needs.some((name) => name.startsWith('wasi:'));
  const shim = needsSystem ? ((await import(at(plan.shim))) as Shim) : null;
  report({ kind: 'ready' });
  const call = takeOrder<Call>();
  if (call === null) return;
  const imports = { ...systemFor(shim, call), ...configFrom(call.env) };
  const functions = await instantiate(load, imports, (module, needed) => {
    const instance = new WebAssembly.Instance(module, needed);
    instances.push(instance);
    return instance;
  });
  answer(functions, call);
}

function at(...parts: string[]): string {
  return pathToFileURL(join(...parts)).href;
}

function load(name: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(join(plan.folder, name)));
}

function systemFor(shim: Shim | null, { env }: Call): Readonly<Record<string, Value>> {
  if (shim === null) return {};
  const sandbox = { preopens: { ...plan.preopens }, env: { ...env }, args: ['component'], enableNetwork: false };
  return new shim.WASIShim({ sandbox }).getImportObject();
}

/** Two functions that some components ask for: their settings are what the run has in its environment. */
function configFrom(env: Readonly<Record<string, string>>): Readonly<Record<string, Value>> {
  return {
    'get-config': { default: (name: string) => env[name] },
    'get-all-config': { default: () => JSON.stringify(env) },
  };
}

function answer(functions: Functions, call: Call): void {
  const name = camelCase(call.function);
  const target = findFunction(functions, name);
  if (target === null) {
    report({ kind: 'unfit', message: `it has no function ${call.function}` });
    return;
  }
  try {
    report({
      kind: 'exited',
      code: tell(
        call,
        resultOf(() => target(...call.arguments)),
      ),
    });
  } catch (error) {
    broken(error);
  }
}

/** A result that is an error comes as an exception that carries it. */
function resultOf(run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (error instanceof Error && 'payload' in error) return { err: error.payload };
    throw error;
  }
}

/** Among the exports themselves, or in an interface that is exported. */
function findFunction(functions: Functions, name: string): ((...values: readonly string[]) => Value) | null {
  const places = [functions, ...Object.values(functions)] as (Functions | undefined)[];
  const found = places.map((place) => place?.[name]).find((value) => typeof value === 'function');
  return (found as (...values: readonly string[]) => Value) ?? null;
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function broken(error: unknown): void {
  const sizes = instances.flatMap(({ exports }) =>
    Object.values(exports).map((value) => (value instanceof WebAssembly.Memory ? value.buffer.byteLength : 0)),
  );
  breakOff(error, Math.max(0, ...sizes));
}

/** The result of a tool is its output, or what went wrong. Everything else is handed on as it is. Returns an exit code. */
function tell(call: Call, value: Value): number {
  if (call.function !== 'execute-tool') {
    write(1, textOf(value));
    return 0;
  }
  const result = parsed(value);
  if (isRecord(result) && 'err' in result) return failWith(result['err']);
  const inner = isRecord(result) && 'ok' in result ? result['ok'] : result;
  const isDescribed = isRecord(inner) && ('output' in inner || 'success' in inner);
  write(1, textOf(isDescribed ? inner['output'] : inner));
  const failure = failureIn(inner);
  return failure === undefined ? 0 : failWith(failure);
}

function failWith(failure: Value): number {
  write(2, `${textOf(failure)}\n`);
  return 1;
}

function failureIn(inner: Value): Value {
  if (!isRecord(inner) || inner['success'] !== false) return undefined;
  return inner['errorMessage'] ?? inner['error_message'] ?? 'the tool failed and did not say why';
}

function isRecord(value: Value): value is Record<string, Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(value: Value): Value {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function write(descriptor: number, text: string): void {
  writeAll(descriptor, Buffer.from(text, 'utf8'));
}
