import type { Environment } from '../../kernel/environment.ts';
import { reasonOf, SkillError } from '../../kernel/errors.ts';
import { packageFile } from '../../kernel/package-file.ts';
import { type Machine, machineFor } from '../linux/machine.ts';

/** What keeps children in: a sandbox of the system, or nothing but that they are offered nothing. */
export type Place =
  | { readonly kind: 'sandbox'; machine(): Machine }
  | { readonly kind: 'memory'; readonly why: string };

/** The best place there is on this machine. */
export function findPlace(environment: Environment, isolation: 'auto' | 'memory'): Place {
  if (isolation === 'memory') return { kind: 'memory', why: 'it was chosen' };
  if (environment.platform !== 'linux') return { kind: 'memory', why: 'there is none for this system' };
  try {
    machineFor(environment);
    // Asked for each time it is used: somebody else may have left it meanwhile.
    return { kind: 'sandbox', machine: () => machineFor(environment) };
  } catch (error) {
    return { kind: 'memory', why: reasonOf(error) };
  }
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

/** What is said where something needs the sandbox of the system, and there is none. */
export function needsSandbox(what: string, why: string): SkillError {
  return new SkillError('unavailable', `${what} in a sandbox only, and there is none (${why})`, {
    hint: sandboxRemedy,
  });
}

export const sandboxRemedy = 'Install bubblewrap (apt-get install bubblewrap, or the package of your system).';
