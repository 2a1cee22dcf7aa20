import type { Environment } from '../../kernel/environment.ts';
import { SkillError } from '../../kernel/errors.ts';
import { packageFile } from '../../kernel/package-file.ts';
import { type Machine, machineFor } from '../linux/machine.ts';

export type Isolation = 'sandbox' | 'memory';

/** What keeps children in: the sandbox of the system, or the engine alone, which offers them nothing of the machine. */
export type Place =
  | { readonly kind: 'sandbox'; machine(): Machine }
  | { readonly kind: 'memory'; readonly why: string };

/**
 * Where children run. Memory mode is chosen, or all that the platform has: it never takes the place of a sandbox that is missing
 * or fails. Throws where something of the sandbox is not installed.
 */
export function findPlace(environment: Environment, isolation: Isolation): Place {
  if (isolation === 'memory') return { kind: 'memory', why: 'memory mode was chosen' };
  if (environment.platform !== 'linux') return { kind: 'memory', why: 'this platform has only memory mode' };
  machineFor(environment);
  // Asked for each time it is used: somebody else may have left it meanwhile.
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

/** The error for what runs in the sandbox of the system only, where memory mode is used. */
export function needsSandbox(what: string, why: string): SkillError {
  return new SkillError('unavailable', `${what} in the sandbox of the system only, and ${why}`, {
    hint: sandboxRemedy,
  });
}

export const sandboxRemedy = 'It needs Linux with bubblewrap, and --wasm-isolation sandbox, which is the default.';

/** Added to what can be done about a sandbox that is missing or fails. */
export const memoryRemedy =
  'Modules that need no folder of this machine can also run without it, which is weaker: --wasm-isolation memory.';
