import { join } from 'node:path';
import type { Environment } from '../../kernel/environment.ts';
import { xdgDir } from '../../kernel/paths.ts';
import { tryOut } from '../native/try-out.ts';
import { createPool, type Pool } from '../pool.ts';
import type { Readiness } from '../types.ts';
import type { Child } from './child.ts';
import type { ComponentContext } from './component.ts';
import { startPlain } from './memory.ts';
import { findPlace, type Isolation, type Place } from './places.ts';
import { type Setup, startSandboxed } from './sandboxed.ts';

export interface WasmOptions {
  /** What runs modules; `node` unless told otherwise. */
  readonly engine?: 'node' | 'wasmtime';
  /** Where wasmtime is, if not among the system's programs. */
  readonly wasmtime?: string;
  /** `memory` to do without the sandbox of the system; `sandbox` unless told otherwise. */
  readonly isolation?: Isolation;
  /** Whether children are started ahead of their runs; not worth it in a process that makes one run. */
  readonly pool?: 'warm' | 'none';
}

/** What all runs of a runtime share. */
export interface Context {
  readonly options: WasmOptions;
  readonly pool: Pool<Setup, Child>;
  /** Throws where there is none. */
  place(): Place;
  /** Whether the sandbox of the system works, found out by setting one up. */
  tryOut(): Promise<Readiness>;
  /** The signal is for giving up while it is started. */
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
