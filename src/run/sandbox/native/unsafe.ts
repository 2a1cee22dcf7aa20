import { tmpdir } from 'node:os';
import { reasonOf } from '../../../core/errors.ts';
import { engineError } from '../ending.ts';
import { orphansIn, removeFolder } from '../linux/owner.ts';
import { supervise } from '../supervise.ts';
import type { Enforcement, Outcome, SandboxRuntime } from '../types.ts';
import { type RealRun, realRunOf, scratchPrefix } from './place-program.ts';
import { startPlain } from './plain-process.ts';

const nothing = 'nothing: it runs without a sandbox';

const enforcement: readonly Enforcement[] = [
  ...(['files', 'network', 'processes', 'memory', 'cpu', 'scratch', 'user'] as const).map((what) => ({
    what,
    by: nothing,
  })),
  { what: 'time', by: 'timer, SIGKILL of the process group' },
  { what: 'output', by: 'bytes counted, SIGKILL of the process group' },
];

/** Runs commands without any sandbox, for users who requested exactly that. Only time and output are limited. */
export function createUnsafeRuntime(): SandboxRuntime {
  return {
    name: 'native',
    // A tool without a sandbox may well keep files beside itself.
    runsInPlace: true,
    seesSkillAt: (folder) => folder,
    readiness: () => Promise.resolve({ ready: true, enforcement }),
    run: async (spec, watcher) => {
      const began = performance.now();
      const failed = (why: string): Outcome => {
        return { ...engineError(why, performance.now() - began), enforcement, denials: [] };
      };
      let real: RealRun | null = null;
      try {
        real = realRunOf(spec);
        if (real === null) return failed(`this runtime runs commands, not a ${spec.task.kind}`);
        const running = startPlain({ ...real, stdin: spec.stdin === null ? 'none' : 'pipe' });
        const ending = await supervise(running, { stdin: spec.stdin, limits: spec.limits, watcher, began });
        return { ...ending, enforcement, denials: [] };
      } catch (error) {
        return failed(reasonOf(error));
      } finally {
        real?.remove();
      }
    },
    sweep: async () => {
      for (const orphan of orphansIn(tmpdir(), scratchPrefix)) removeFolder(orphan);
    },
    close: () => Promise.resolve(),
  };
}
