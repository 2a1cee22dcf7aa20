import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { hostEnvironment } from '../../src/core/environment.ts';
import type { Limits } from '../../src/run/policy/types.ts';
import { createDockerRuntime } from '../../src/run/sandbox/docker/runtime.ts';
import type { Outcome, RunSpec, SandboxRuntime, Watcher } from '../../src/run/sandbox/types.ts';
import { type ContainerEngine, image, startContainerEngine } from './containers.ts';
import { timeoutMs } from './timeout.ts';

export const limits: Limits = {
  timeoutMs,
  memoryBytes: 64 * 1024 * 1024,
  processes: 24,
  outputBytes: 256 * 1024,
  scratchBytes: 4 * 1024 * 1024,
  fileBytes: 2 * 1024 * 1024,
  cpuSeconds: 15,
};

export interface ContainerRun extends Outcome {
  readonly stdout: string;
  readonly stderr: string;
}

/** One engine for all tests of a file, and a runtime that uses it. */
export interface ContainerPlace {
  readonly engine: ContainerEngine;
  readonly runtime: SandboxRuntime;
  /** How many containers there are, whoever they belong to. */
  count(): number;
}

export function useContainers(): ContainerPlace {
  let engine: ContainerEngine | undefined;
  let runtime: SandboxRuntime | undefined;
  beforeAll(async () => {
    engine = await startContainerEngine();
    runtime = createDockerRuntime(hostEnvironment({ env: { DOCKER_HOST: engine.host } }));
  });
  afterAll(async () => {
    await runtime?.close();
    await engine?.stop();
  });
  const there = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the engine has not been started');
    return value;
  };
  return {
    get engine() {
      return there(engine);
    },
    get runtime() {
      return there(runtime);
    },
    count: () => there(engine).containers().length,
  };
}

/** A folder that goes away with the test, and that everyone may read. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-skill-')));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const inside = join(folder, 'inside');
  mkdirSync(inside);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(inside, name), text);
  return inside;
}

let number = 0;

/** A run of a container from the small image, with nothing granted, unless said otherwise. */
export function specOf(args: readonly string[], more: Partial<RunSpec> = {}): RunSpec {
  number += 1;
  return {
    id: `test-${process.pid}-${number}`,
    task: { kind: 'container', image, args },
    env: {},
    stdin: null,
    skillFolder: more.skillFolder ?? folderWith({ 'SKILL.md': 'text of the skill\n' }),
    folder: 'scratch',
    mounts: [],
    network: [],
    limits,
    ...more,
  };
}

/** Runs it, and gathers what it writes. */
export async function runIn(
  runtime: SandboxRuntime,
  spec: RunSpec,
  watching: Partial<Watcher> = {},
): Promise<ContainerRun> {
  const output = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  const outcome = await runtime.run(spec, {
    onOutput: (stream, bytes) => {
      output[stream].push(bytes);
      watching.onOutput?.(stream, bytes);
    },
    signal: watching.signal ?? new AbortController().signal,
  });
  const text = (pieces: Uint8Array[]) => Buffer.concat(pieces).toString('utf8');
  return { ...outcome, stdout: text(output.stdout), stderr: text(output.stderr) };
}

/** The same for a line of shell. */
export function shell(runtime: SandboxRuntime, script: string, more: Partial<RunSpec> = {}): Promise<ContainerRun> {
  return runIn(runtime, specOf(['/bin/sh', '-c', script], more));
}
