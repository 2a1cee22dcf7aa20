import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostEnvironment } from '../../../src/core/environment.ts';
import type { Limits } from '../../../src/run/policy/types.ts';
import type { Outcome, RunSpec, SandboxRuntime } from '../../../src/run/sandbox/types.ts';
import type { WasmOptions } from '../../../src/run/sandbox/wasm/context.ts';
import { createWasmRuntime } from '../../../src/run/sandbox/wasm/runtime.ts';
import { timeoutMs } from '../../support/timeout.ts';

const megabyte = 1024 * 1024;

export const usualLimits: Limits = {
  timeoutMs,
  memoryBytes: 64 * megabyte,
  processes: 64,
  outputBytes: megabyte,
  scratchBytes: 4 * megabyte,
  fileBytes: 2 * megabyte,
  cpuSeconds: 30,
};

export interface Result extends Outcome {
  readonly stdout: string;
  readonly stderr: string;
}

export type Asked = Partial<Omit<RunSpec, 'limits' | 'task'>> & {
  readonly args?: readonly string[];
  readonly limits?: Partial<Limits>;
  readonly signal?: AbortSignal;
  /** Hears the output as it comes; it is not kept then. */
  readonly onOutput?: (text: string) => void;
};

/** A skill with modules in it, folders that may be granted, and a runtime. */
export interface Stage {
  readonly runtime: SandboxRuntime;
  /** The folder of everything here; nothing of it may be seen by a guest unless it is in the skill or granted. */
  readonly root: string;
  readonly skill: string;
  specFor(module: Uint8Array, asked?: Asked): RunSpec;
  run(module: Uint8Array, asked?: Asked): Promise<Result>;
  runSpec(spec: RunSpec, asked?: Asked): Promise<Result>;
  folder(name: string): string;
  end(): Promise<void>;
}

export function createStage(options: WasmOptions = {}, env: Record<string, string> = {}): Stage {
  return stageFor((root) => createWasmRuntime(hostEnvironment({ home: root, cwd: root, env }), options));
}

/** Everybody may read all of it: what keeps a guest out must be the sandbox. */
export function stageFor(make: (root: string) => SandboxRuntime): Stage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-wasm-')));
  chmodSync(root, 0o755);
  const skill = join(root, 'skill');
  mkdirSync(skill);
  writeFileSync(join(skill, 'data.txt'), 'data of the skill');
  writeFileSync(join(root, 'secret.txt'), 'the secret of the host');
  const runtime = make(root);
  const runSpec = (spec: RunSpec, asked: Asked = {}) => runToEnd(runtime, spec, asked);

  const specFor = (module: Uint8Array, asked: Asked = {}): RunSpec => {
    const digest = createHash('sha256').update(module).digest('hex');
    const file = join(skill, `${digest.slice(0, 16)}.wasm`);
    writeFileSync(file, module);
    const { args = [], limits, signal: _, onOutput: __, ...rest } = asked;
    return {
      id: randomUUID(),
      task: { kind: 'module', file, digest, args },
      env: {},
      stdin: null,
      skillFolder: skill,
      folder: 'skill',
      mounts: [],
      network: [],
      ...rest,
      limits: { ...usualLimits, ...limits },
    };
  };

  return {
    runtime,
    root,
    skill,
    specFor,
    runSpec,
    run: (module, asked = {}) => runSpec(specFor(module, asked), asked),
    folder: (name) => {
      const path = join(root, name);
      mkdirSync(path, { recursive: true });
      return path;
    },
    end: async () => {
      await runtime.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function runToEnd(runtime: SandboxRuntime, spec: RunSpec, asked: Asked): Promise<Result> {
  const streams = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  const outcome = await runtime.run(spec, {
    onOutput: (stream, bytes) => {
      if (asked.onOutput === undefined) streams[stream].push(Uint8Array.from(bytes));
      else asked.onOutput(Buffer.from(bytes).toString('utf8'));
    },
    signal: asked.signal ?? new AbortController().signal,
  });
  const textOf = (pieces: readonly Uint8Array[]) => Buffer.concat(pieces).toString('utf8');
  return { ...outcome, stdout: textOf(streams.stdout), stderr: textOf(streams.stderr) };
}
