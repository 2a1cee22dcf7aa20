import type { Environment } from '../../../core/environment.ts';
import { engineError } from '../ending.ts';
import type { Readiness, SandboxRuntime } from '../types.ts';
import { createBubblewrapRuntime, type NativeOptions } from './bubblewrap.ts';
import { createSeatbeltRuntime } from './seatbelt.ts';

/** Runs commands in the sandbox of the operating system. If there is none, nothing is run. */
export function createNativeRuntime(environment: Environment, options: NativeOptions = {}): SandboxRuntime {
  if (environment.platform === 'linux') return createBubblewrapRuntime(environment, options);
  if (environment.platform === 'darwin') return createSeatbeltRuntime(environment);
  return createAbsentRuntime(environment.platform);
}

/** Stands in on operating systems without a sandbox that we know of. */
function createAbsentRuntime(platform: string): SandboxRuntime {
  const readiness: Readiness = {
    ready: false,
    reason: `there is no sandbox for commands on ${platform}`,
    remedy: 'Use a tool with the runtime wasm or docker, or run on Linux or macOS.',
  };
  return {
    name: 'native',
    seesSkillAt: (folder) => folder,
    readiness: () => Promise.resolve(readiness),
    run: () => Promise.resolve({ ...engineError(readiness.reason, 0), enforcement: [], denials: [] }),
    sweep: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
