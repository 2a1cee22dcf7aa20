import type { Cluster } from '../../cluster/connection.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { getOrInsert } from '../../core/maps.ts';
import type { RuntimeName } from '../../run/policy/types.ts';
import type { SandboxRuntime } from '../../run/sandbox/types.ts';

/** The runtimes, each created when first needed: a machine without containers pays nothing for them. */
export interface Runtimes {
  get(name: RuntimeName): Promise<SandboxRuntime>;
  /** The runtime without any sandbox, for those who insist. */
  unsafe(): Promise<SandboxRuntime>;
  /** The workers of a cluster, as a runtime. */
  cluster(): Promise<SandboxRuntime>;
  /** Removes what runs of dead processes have left on this machine. */
  sweep(): Promise<void>;
  /** Closes the runtimes that were used. */
  close(): Promise<void>;
}

interface RuntimeOptions {
  readonly wasmEngine: 'node' | 'wasmtime';
  readonly wasmIsolation: 'sandbox' | 'memory';
  readonly containerRuntime?: string | undefined;
  /** Whether to keep processes warm, which pays if there will be more than one run. */
  readonly pool: 'warm' | 'none';
  /** The connection to the cluster whose workers run things. */
  readonly cluster: () => Promise<Cluster>;
  /** Most executions at once for one subject on its workers; 0 for any number. */
  readonly maxPerSubject: number;
}

type Maker = (environment: Environment, options: RuntimeOptions) => Promise<SandboxRuntime>;

const makers: { readonly [N in RuntimeName]: Maker } = {
  native: async (environment, { pool }) =>
    (await import('../../run/sandbox/native/runtime.ts')).createNativeRuntime(environment, { pool }),
  wasm: async (environment, { wasmEngine: engine, wasmIsolation: isolation, pool }) =>
    (await import('../../run/sandbox/wasm/runtime.ts')).createWasmRuntime(environment, { engine, isolation, pool }),
  docker: async (environment, { containerRuntime: runtime }) =>
    (await import('../../run/sandbox/docker/runtime.ts')).createDockerRuntime(environment, { runtime }),
};

/**
 * Runtimes that are swept at the start. Containers wait for the first one to run: until then nobody has asked us to
 * talk to a container engine.
 */
const sweptAtStart: readonly RuntimeName[] = ['native', 'wasm'];

export function createRuntimes(environment: Environment, options: RuntimeOptions): Runtimes {
  const made = new Map<string, Promise<SandboxRuntime>>();
  /** Refuses runtimes other than Node: there, a run would wait for pipes that never open, and end without a word. */
  function checkRuntime(): void {
    const other = otherRuntime();
    if (other === null) return;
    throw new SkillError('unavailable', `tools run only on Node, and this is ${other}`, {
      hint: 'Start repertoire with Node; listing, searching and serving skills work here too.',
    });
  }
  function once(name: string, make: () => Promise<SandboxRuntime>): Promise<SandboxRuntime> {
    checkRuntime();
    return getOrInsert(made, name, make);
  }
  const get = (name: RuntimeName): Promise<SandboxRuntime> => once(name, () => makers[name](environment, options));
  const unsafe = (): Promise<SandboxRuntime> =>
    once('unsafe', async () => (await import('../../run/sandbox/native/plain-process.ts')).createUnsafeRuntime());
  return {
    get,
    unsafe,
    cluster: () =>
      once('cluster', async () =>
        (await import('./workers/calls.ts')).createCalls(await options.cluster(), options.maxPerSubject),
      ),
    async sweep() {
      const all = [...sweptAtStart.map(async (name) => get(name)), unsafe()];
      await Promise.allSettled(all.map(async (runtime) => (await runtime).sweep()));
    },
    async close() {
      await Promise.allSettled([...made.values()].map(async (runtime) => (await runtime).close()));
      made.clear();
    },
  };
}

/** The name of the runtime, where it is not Node: some of what tools are run with does not work there. */
function otherRuntime(): string | null {
  const { bun } = process.versions;
  if (bun !== undefined) return `Bun ${bun}`;
  const { Deno: deno } = globalThis as { Deno?: { version?: { deno?: string } } };
  return deno === undefined ? null : `Deno ${deno.version?.deno ?? ''}`.trim();
}
