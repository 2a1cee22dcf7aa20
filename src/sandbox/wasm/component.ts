import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SkillError } from '../../kernel/errors.ts';
import { isThere } from '../../kernel/files.ts';
import { sha256 } from '../../kernel/hash.ts';
import type { Limits, Mount } from '../../policy/types.ts';
import { markUsed } from '../kept-folders.ts';
import type { RunSpec } from '../types.ts';
import type { Child } from './child.ts';
import { moduleInside, programInside } from './engine-files.ts';
import { execute } from './execute.ts';
import { scriptMegabytes } from './flags.ts';
import { keep, unpack, worldFile } from './generated.ts';
import { programFiles } from './places.ts';
import type { ComponentPlan, TranspilePlan } from './protocol.ts';
import type { Setup } from './sandboxed.ts';
import { bindsOf, guardsOf, preopensOf } from './setups.ts';
import { unfitWords } from './verdict.ts';

/** A component, and what is needed to have it run. */
export interface ComponentSource {
  readonly file: string;
  /** SHA-256 of its bytes, in hex. */
  readonly digest: string;
}

export interface ComponentContext {
  /** Where generated files are kept. */
  readonly cache: string;
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
  spec: Pick<RunSpec, 'skillFolder' | 'mounts' | 'guards' | 'folder' | 'limits'>,
): Promise<Setup> {
  const folder = await generatedFor(context, source);
  const plan: ComponentPlan = { folder: folderInside, preopens: preopensOf(spec) };
  const generated: Mount = { source: folder, target: folderInside, access: 'read' };
  const { program, binds } = started('component');
  return {
    program,
    plan,
    binds: [generated, ...binds, ...bindsOf(spec)],
    ...guardsOf(spec),
    limits: { ...spec.limits, timeoutMs: 0, outputBytes: 0 },
    megabytes: scriptMegabytes,
  };
}

/** What was said of a component when it was made ready. It was in the sandbox, and is not trusted in anything. */
export async function describedBy(context: ComponentContext, source: ComponentSource): Promise<unknown> {
  return JSON.parse(readFileSync(join(await generatedFor(context, source), worldFile), 'utf8'));
}

/** The folder of generated files: of these very bytes, by this very transpiler. */
async function generatedFor(context: ComponentContext, source: ComponentSource): Promise<string> {
  const folder = join(context.cache, sha256(source.digest, '\0', transpilerDigest()).slice(0, 40));
  if (!isThere(join(folder, 'component.js'))) keep(unpack(await transpiled(context, source)), folder);
  markUsed(folder);
  return folder;
}

let known: string | null = null;

function transpilerDigest(): string {
  known ??= sha256(...programFiles('transpile').map((file) => readFileSync(file)));
  return known;
}

/** A program that consists of several files: they lie beside each other inside, too. */
function started(name: 'component' | 'transpile'): { readonly program: string; readonly binds: readonly Mount[] } {
  const [program = '', ...others] = programFiles(name);
  return {
    program,
    binds: others.map((source) => ({ source, target: programInside(basename(source)), access: 'read' })),
  };
}

async function transpiled(context: ComponentContext, source: ComponentSource): Promise<Buffer> {
  const plan: TranspilePlan = { module: moduleInside, digest: source.digest };
  const { program, binds } = started('transpile');
  const child = await context.start({
    program,
    plan,
    binds: [{ source: source.file, target: moduleInside, access: 'read' }, ...binds],
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
  throw new SkillError('unavailable', `the WebAssembly component cannot be used: ${why.replace(unfitWords, '')}`, {
    hint: 'Compile it for WASI 0.2, with nothing imported but WASI and nothing exported but functions.',
  });
}
