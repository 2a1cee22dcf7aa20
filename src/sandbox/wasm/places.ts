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

const programs = {
  module: 'dist/cli/wasm-runner.cjs',
  memory: 'dist/cli/wasm-memory.cjs',
  component: 'dist/cli/wasm-component.mjs',
  transpile: 'dist/cli/wasm-transpile.mjs',
} as const;

/** A program of ours that runs inside. */
export function programFor(name: keyof typeof programs): string {
  const file = packageFile(programs[name]);
  if (file !== undefined) return file;
  throw new SkillError('unavailable', `${programs[name]}, which runs WebAssembly, is not there`, {
    hint: 'Install the package anew, and do not bundle it into another program.',
  });
}
