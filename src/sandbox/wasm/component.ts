import { join } from 'node:path';
import { SkillError } from '../../kernel/errors.ts';
import { isThere } from '../../kernel/files.ts';
import { sha256 } from '../../kernel/hash.ts';
import type { Limits, Mount } from '../../policy/types.ts';
import type { RunSpec } from '../types.ts';
import { type Addon, findAddon } from './addon.ts';
import type { Child } from './child.ts';
import { moduleInside } from './engine-files.ts';
import { execute } from './execute.ts';
import { scriptMegabytes } from './flags.ts';
import { keep, unpack } from './generated.ts';
import type { ComponentPlan, TranspilePlan } from './protocol.ts';
import type { Setup } from './sandboxed.ts';
import { bindsOf, preopensOf } from './setups.ts';

/** A component, and what is needed to have it run. */
export interface ComponentSource {
  readonly file: string;
  /** SHA-256 of its bytes, in hex. */
  readonly digest: string;
}

export interface ComponentContext {
  /** Where generated files are kept. */
  readonly cache: string;
  /** Where the add-on may have been installed. */
  readonly addonFolders: readonly string[];
  readonly programs: { readonly component: string; readonly transpile: string };
  start(setup: Setup): Promise<Child>;
}

const megabyte = 1024 * 1024;

/** For turning a component into JavaScript, which is our wish and not the skill's. */
const transpileLimits: Limits = {
  timeoutMs: 120_000,
  memoryBytes: 1024 * megabyte,
  processes: 64,
  outputBytes: 256 * megabyte,
  scratchBytes: megabyte,
  fileBytes: megabyte,
  cpuSeconds: 120,
};

const folderInside = '/engine/component';

/** What a call of a function needs to be started with; the component is made ready for it where it is not yet. */
export async function componentSetup(
  context: ComponentContext,
  source: ComponentSource,
  spec: Pick<RunSpec, 'skillFolder' | 'mounts' | 'folder' | 'limits'>,
): Promise<Setup> {
  const addon = findAddon(context.addonFolders);
  const folder = await generatedFor(context, addon, source);
  const plan: ComponentPlan = { folder: folderInside, shim: addon.shim.file, preopens: preopensOf(spec) };
  const generated: Mount = { source: folder, target: folderInside, access: 'read' };
  return {
    program: context.programs.component,
    plan,
    binds: [generated, addon.shim.bind, ...bindsOf(spec)],
    limits: { ...spec.limits, timeoutMs: 0, outputBytes: 0 },
    megabytes: scriptMegabytes,
  };
}

/** The folder of generated files: of these very bytes, by this very add-on. */
async function generatedFor(context: ComponentContext, addon: Addon, source: ComponentSource): Promise<string> {
  const folder = join(context.cache, sha256(source.digest, '\0', addon.transpiler.identity).slice(0, 40));
  if (!isThere(join(folder, 'component.js'))) keep(unpack(await transpiled(context, addon, source)), folder);
  return folder;
}

async function transpiled(context: ComponentContext, addon: Addon, source: ComponentSource): Promise<Buffer> {
  const plan: TranspilePlan = { module: moduleInside, digest: source.digest, transpiler: addon.transpiler.file };
  const child = await context.start({
    program: context.programs.transpile,
    plan,
    binds: [{ source: source.file, target: moduleInside, access: 'read' }, addon.transpiler.bind],
    limits: transpileLimits,
    megabytes: scriptMegabytes,
  });
  const output: Uint8Array[] = [];
  const outcome = await execute(child, {
    order: { args: [], env: {} },
    stdin: null,
    limits: transpileLimits,
    watcher: {
      onOutput: (stream, bytes) => void (stream === 'stdout' && output.push(bytes)),
      signal: new AbortController().signal,
    },
    began: performance.now(),
  });
  const isDone = typeof outcome !== 'string' && outcome.reason === 'exited' && outcome.exitCode === 0;
  if (isDone) return Buffer.concat(output);
  const why = typeof outcome === 'string' ? outcome : (outcome.message ?? `it ended with code ${outcome.exitCode}`);
  throw new SkillError('unavailable', `the WebAssembly component cannot be made ready: ${why}`, {
    hint: 'Check that the file is a component for WASI 0.2.',
  });
}
