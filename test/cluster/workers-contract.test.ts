import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openCluster } from '../../src/cluster/connection.ts';
import { createCalls } from '../../src/engine/running/workers/calls.ts';
import { digestFiles } from '../../src/run/policy/digest.ts';
import type { RunSpec, SandboxRuntime, Task } from '../../src/run/sandbox/types.ts';
import { openFile, sandboxContract } from '../sandbox/contract.ts';
import { shellJob } from '../sandbox/shell-programs.ts';
import { launchNats } from '../support/nats.ts';
import { environmentIn } from '../support/place.ts';
import { program, World } from '../support/world.ts';

/**
 * The contract of runtimes, kept by a real worker behind a real server. What a runtime is given as a task is a skill
 * here: the program as a script of it, arguments and input as parameters. The worker adds to the environment of a run,
 * and nothing below `/tmp` can be granted; other tests look at both.
 */
sandboxContract('workers', async () => {
  const nats = await launchNats();
  const world = new World();
  const worker = spawn(process.execPath, [program, 'worker', '--cluster', nats.url, '--concurrency', '4'], {
    env: world.environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await said(worker, 'takes executions');
  const settings = {
    cluster: nats.url,
    clusterName: 'repertoire',
    clusterCredentials: undefined,
    clusterCa: undefined,
  };
  const cluster = openCluster({ ...settings, offline: false }, environmentIn(world.folder('caller')));
  const calls = createCalls(cluster, 0);
  const runtime: SandboxRuntime = { ...calls, run: async (spec, watcher) => calls.run(await asCall(spec), watcher) };
  return {
    runtime,
    program: shellJob,
    lacks: ['environment', 'mounts'],
    async close() {
      await cluster.close();
      const left = new Promise((resolve) => worker.once('exit', resolve));
      worker.kill('SIGTERM');
      await left;
      nats.stop();
      rmSync(world.root, { recursive: true, force: true });
    },
  };
});

function said(child: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.on('data', (bytes: Buffer) => {
      log += bytes.toString();
      if (log.includes(words)) resolve();
    });
    child.once('exit', () => reject(new Error(log)));
  });
}

async function asCall(spec: RunSpec): Promise<RunSpec> {
  const { task, skillFolder, stdin } = spec;
  if (task.kind !== 'command') throw new Error('programs of the contract are commands');
  const [, script = '', , ...args] = task.args;
  write(skillFolder, 'SKILL.md', '---\nname: contract\ndescription: A program of the contract.\n---\n');
  write(skillFolder, 'scripts/program.sh', `${script}\n`);
  const { digest } = await digestFiles(skillFolder);
  const input = stdin === null ? {} : { stdin: Buffer.from(stdin).toString() };
  const call: Task = {
    ...{ kind: 'call', skill: 'contract', digest, tool: 'program', instance: null, runtime: 'native', labels: [] },
    ...{ parameters: JSON.stringify({ args, ...input }), shaping: '{}', idempotent: false, caller: { by: 'library' } },
  };
  return { ...spec, task: call, stdin: null };
}

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(join(file, '..'), { recursive: true });
  openFile(file, text);
}
