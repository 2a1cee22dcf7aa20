import { join } from 'node:path';
import { packageFile } from '../../../core/disk/package-file.ts';
import { xdgDir } from '../../../core/disk/paths.ts';
import type { Environment } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';
import { type Machine, machineFor } from '../linux/machine.ts';
import { tryOut } from '../native/bubblewrap.ts';
import { createPool, type Pool } from '../pool.ts';
import type { Readiness } from '../types.ts';
import type { Child } from './child.ts';
import type { ComponentContext } from './component.ts';
import { startPlain } from './memory.ts';
import { type Setup, startSandboxed } from './sandboxed.ts';

export interface WasmOptions {
  /** The engine that runs modules; `node` by default. */
  readonly engine?: 'node' | 'wasmtime';
  /** The path of wasmtime, if it is not among the system's programs. */
  readonly wasmtime?: string;
  /** `memory` to do without the sandbox of the system; `sandbox` by default. */
  readonly isolation?: Isolation;
  /** Whether children are started ahead of their runs; not worth it in a process that makes one run. */
  readonly pool?: 'warm' | 'none';
}

/** Resources that all runs of a runtime share. */
export interface Context {
  readonly options: WasmOptions;
  readonly pool: Pool<Setup, Child>;
  /** The place where children run. Throws if there is none. */
  place(): Place;
  /** Tells whether the sandbox of the system works, by setting one up. */
  tryOut(): Promise<Readiness>;
  /** Starts a child. The signal aborts its start. */
  start(setup: Setup, signal?: AbortSignal): Promise<Child>;
  component(): ComponentContext;
}

let count = 0;

export function createContext(environment: Environment, options: WasmOptions): Context {
  let place: Place | null = null;
  const known = () => {
    place ??= findPlace(environment, options.isolation ?? 'sandbox');
    return place;
  };
  const start = async (setup: Setup, signal?: AbortSignal) => {
    const where = known();
    if (where.kind === 'memory') return startPlain(setup);
    count += 1;
    return startSandboxed(where.machine(), setup, { id: `wasm-${count}`, ...(signal === undefined ? {} : { signal }) });
  };
  return {
    options,
    pool: createPool(start),
    place: known,
    tryOut: () => tryOut(environment, { proc: false }),
    start,
    component: () => ({
      cache: join(xdgDir(environment, 'CACHE'), 'repertoire', 'components'),
      start,
    }),
  };
}

type Isolation = 'sandbox' | 'memory';

/** The confinement of children: the system's sandbox, or the engine alone, which offers them nothing of the machine. */
type Place = { readonly kind: 'sandbox'; machine(): Machine } | { readonly kind: 'memory'; readonly why: string };

/**
 * Finds the place where children run. Memory mode is chosen, or the only one on the platform: it never replaces a
 * sandbox that is missing or fails. Throws if a part of the sandbox is not installed.
 */
function findPlace(environment: Environment, isolation: Isolation): Place {
  if (isolation === 'memory') return { kind: 'memory', why: 'memory mode was chosen' };
  if (environment.platform !== 'linux') return { kind: 'memory', why: 'this platform has only memory mode' };
  machineFor(environment);
  // The machine is looked up for each use: somebody else may have released it meanwhile.
  return { kind: 'sandbox', machine: () => machineFor(environment) };
}

/** The programs that run inside, each with the files that must lie beside it. All are files of this package. */
const programs = {
  module: ['wasm-runner.cjs'],
  memory: ['wasm-memory.cjs'],
  component: ['wasm-component.mjs', 'wasm-component-io.mjs'],
  transpile: [
    'wasm-transpile.mjs',
    'js-component-bindgen-component.core.wasm',
    'js-component-bindgen-component.core2.wasm',
  ],
} as const;

/** The files of a program of ours that runs inside, the program itself first. */
export function programFiles(name: keyof typeof programs): readonly string[] {
  return programs[name].map((one) => {
    const file = packageFile(`dist/cli/${one}`);
    if (file !== undefined) return file;
    throw new SkillError('unavailable', `dist/cli/${one}, which is needed to run WebAssembly, is missing`, {
      hint: 'Reinstall the package, and do not bundle it into another program.',
    });
  });
}

export function programFor(name: 'module' | 'memory'): string {
  return programFiles(name)[0] ?? '';
}

/** The error for features that need the sandbox of the system, when memory mode is used. */
export function needsSandbox(what: string, why: string): SkillError {
  return new SkillError('unavailable', `${what} in the sandbox of the system only, and ${why}`, {
    hint: sandboxRemedy,
  });
}

export const sandboxRemedy = 'It needs Linux with bubblewrap, and --wasm-isolation sandbox, which is the default.';

/** A hint added to the remedy for a sandbox that is missing or fails. */
export const memoryRemedy =
  'Modules that need no folder of this machine can also run without it, which is weaker: --wasm-isolation memory.';
