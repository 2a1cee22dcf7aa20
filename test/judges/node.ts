import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { World } from '../support/world.ts';

export const packages = fileURLToPath(new URL('packages', import.meta.url));

/** What the suite, the Inspector and the installer need; we ourselves support older ones. */
const needed = [22, 20] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
export const isNewEnough = major > needed[0] || (major === needed[0] && minor >= needed[1]);

/** A Node that can run the judges: this one, or one that was installed with them. */
export function judgesNode(): string {
  if (isNewEnough) return process.execPath;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  const path = `${packages}/node_modules/node-${platform}-${process.arch}/bin/${binary}`;
  if (existsSync(path)) return path;
  throw new Error(
    `The conformance suite and the Inspector need Node ${needed.join('.')}, which npm has not for this machine: run them with it.`,
  );
}

export interface Verdict {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a judge's program in a world, so that it neither sees nor changes the home of whoever runs the tests. */
export function runJudge(world: World, script: string, args: readonly string[]): Promise<Verdict> {
  const options = {
    cwd: world.project,
    env: { ...world.environment(), NO_COLOR: '1', DO_NOT_TRACK: '1', DISABLE_TELEMETRY: '1' },
    maxBuffer: 2 ** 27,
    encoding: 'utf8',
    timeout: 120_000,
  } as const;
  return new Promise((resolve) => {
    const child = execFile(
      judgesNode(),
      [`${packages}/node_modules/${script}`, ...args],
      options,
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
