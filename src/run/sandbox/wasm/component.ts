import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isThere } from '../../../core/disk/files.ts';
import { makeFolder } from '../../../core/disk/make-folder.ts';
import { discard } from '../../../core/disk/replace.ts';
import { SkillError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/hash.ts';
import { count, type Infer, list, object, text } from '../../../core/schema/schema.ts';
import { read } from '../../../core/schema/schema-reader.ts';
import type { Limits, Mount } from '../../policy/types.ts';
import { bytesFile, draftIn, markUsed, prune } from '../kept-folders.ts';
import { mountsOf } from '../mounts.ts';
import type { RunSpec } from '../types.ts';
import { type Child, execute, unfitWords } from './child.ts';
import { programFiles } from './context.ts';
import { moduleInside, programInside, scriptMegabytes } from './engine-files.ts';
import type { ComponentPlan, TranspilePlan } from './protocol.ts';
import type { Setup } from './sandboxed.ts';
import { guardsOf, preopensOf } from './sandboxed.ts';

/** A component to be run. */
export interface ComponentSource {
  readonly file: string;
  /** SHA-256 of its bytes, in hex. */
  readonly digest: string;
}

export interface ComponentContext {
  /** The folder where generated files are kept. */
  readonly cache: string;
  start(setup: Setup): Promise<Child>;
}

const megabyte = 1024 * 1024;

/** Limits for turning a component into JavaScript, which we request and not the skill. */
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

/** Returns the setup for calling a function; transpiles the component first if necessary. */
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
    binds: [generated, ...binds, ...mountsOf(spec)],
    ...guardsOf(spec),
    limits: { ...spec.limits, timeoutMs: 0, outputBytes: 0 },
    megabytes: scriptMegabytes,
  };
}

/** The description of a component from its transpilation. It comes from the sandbox and is not trusted in anything. */
export async function describedBy(context: ComponentContext, source: ComponentSource): Promise<unknown> {
  return JSON.parse(readFileSync(join(await generatedFor(context, source), worldFile), 'utf8'));
}

/** The folder of generated files for exactly these bytes and exactly this transpiler. */
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

/** Mounts a program that consists of several files: they lie beside each other inside, too. */
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

/** The files that a component was turned into, by name, and its description. */
interface Generated {
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly said: object;
}

/** The file that holds the description of a component. */
const worldFile = 'world.json';

/** Parses the output of the transpiler. It comes from the sandbox and is not trusted in anything. */
export function unpack(bytes: Buffer): Generated {
  const end = bytes.indexOf(10);
  const head = headIn(bytes.subarray(0, Math.max(0, end)).toString('utf8'));
  const files: Record<string, Uint8Array> = {};
  let at = end + 1;
  for (const { name, length } of head.files) {
    // These names become names of files of ours.
    if (!/^[\w.-]{1,100}\.(?:js|wasm)$/.test(name) || name.startsWith('.')) throw broken(`a file named ${name}`);
    if (at + length > bytes.length) throw broken('an empty file');
    files[name] = bytes.subarray(at, at + length);
    at += length;
  }
  if (files['component.js'] === undefined) throw broken('no program');
  return { files, said: head.said };
}

const filesSchema = list(object({ name: text(), length: count() }));

function headIn(json: string): { readonly files: Infer<typeof filesSchema>; readonly said: object } {
  try {
    const { files, ...said } = JSON.parse(json);
    const reading = read(filesSchema, files, 'data', 1);
    if (reading.ok) return { files: reading.value, said };
  } catch {
    // reported below
  }
  throw broken('something that cannot be read');
}

function broken(what: string): SkillError {
  return new SkillError('unavailable', `the WebAssembly component was turned into ${what}`, {
    hint: 'Check where the file comes from: it may be malicious.',
  });
}

/** Saves generated files in a folder that is either complete or absent. */
export function keep({ files, said }: Generated, folder: string): void {
  const base = dirname(folder);
  makeFolder(base);
  const draft = draftIn(base);
  try {
    const bytes = Object.values(files).reduce((sum, { length }) => sum + length, 0);
    const others = {
      [worldFile]: JSON.stringify(said),
      'package.json': '{"type":"module"}',
      [bytesFile]: String(bytes),
    };
    for (const [name, content] of Object.entries({ ...files, ...others })) {
      writeFileSync(join(draft, name), content);
      chmodSync(join(draft, name), 0o644);
    }
    // The mode lets in the user of a run, if we are root. The folder above is closed to everybody but us.
    chmodSync(draft, 0o755);
    renameSync(draft, folder);
    void prune(base);
  } catch (error) {
    discard(draft);
    if (!isThere(folder)) throw error; // another process was quicker
  }
}
