import { engineError } from '../ending.ts';
import type { Readiness, SandboxRuntime } from '../types.ts';

/** Where the operating system has no sandbox that we know of. */
export function createAbsentRuntime(platform: string): SandboxRuntime {
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
