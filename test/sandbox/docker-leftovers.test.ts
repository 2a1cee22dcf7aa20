import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { thisProcess } from '../../src/core/disk/owner.ts';
import { hostEnvironment } from '../../src/core/environment.ts';
import { labels } from '../../src/run/sandbox/docker/engine.ts';
import { createDockerRuntime } from '../../src/run/sandbox/docker/runtime.ts';
import { folderWith, runIn, shell, specOf, useContainers } from '../support/container-runs.ts';
import { image } from '../support/containers.ts';
import { isRoot } from '../support/root.ts';

describe.runIf(isRoot)('what a container leaves', () => {
  const place = useContainers();

  it.each([
    ['a program that is not there', ['/nowhere/program']],
    ['a program that may not be run', ['/etc/passwd']],
    ['a folder', ['/tmp']],
    ['no program at all', []],
  ])('is nothing when it cannot be started: %s', async (_name, args) => {
    const run = await runIn(place.runtime, specOf(args));
    expect(run).toMatchObject({ reason: 'engine_error', exitCode: null, signal: null });
    expect(run.message).not.toBe('');
    expect(place.count()).toBe(0);
  });

  it('is nothing when the folder to be mounted is gone', async () => {
    const gone = join(folderWith(), 'gone');
    const run = await runIn(place.runtime, specOf(['/bin/true'], { skillFolder: gone }));
    expect(run.reason).toBe('engine_error');
    expect(run.message).toContain(gone);
    expect(existsSync(gone)).toBe(false);
    expect(place.count()).toBe(0);
  });

  it('is swept when its process was killed, and only then', async () => {
    const mine = shell(place.runtime, 'sleep 3; echo still here');
    const dead = spawn('sleep', ['60']);
    const { pid = 0 } = dead;
    const label = thisProcess();
    const [, , world = ''] = label.split('.');
    const [host, boot] = [world.slice(0, 6), world.slice(6, 12)];
    // The container of a process that is no more, as one that was killed leaves it behind.
    const started = await startOf(pid);
    await leave('orphan', `${pid}.${started}.${world}`);
    await leave('of-another-boot', `1.1.${host}zzzzzzzzzz`);
    await leave('of-another-world', `${pid}.${started}.${host}${boot}zzzz`);
    await leave('of-another-machine', `1.1.zzzzzzzzzzzzzzzz`);
    await leave('unreadable', 'nonsense');
    await leave('ours', label);
    await place.runtime.sweep();
    const names = () =>
      place.engine
        .containers()
        .filter((name) => !name.startsWith('repertoire-tool-'))
        .toSorted();
    expect(names()).toEqual(['of-another-machine', 'of-another-world', 'orphan', 'ours', 'unreadable']);
    dead.kill('SIGKILL');
    await once(dead, 'exit');
    await place.runtime.sweep();
    expect(names()).toEqual(['of-another-machine', 'of-another-world', 'ours', 'unreadable']);
    expect(await mine).toMatchObject({ reason: 'exited', stdout: 'still here\n' });
    for (const name of names()) await engine('DELETE', `/containers/${name}?force=true`);
  });

  it('is swept with the bridge to its proxy and its folder, after a real kill', async () => {
    const parent = folderWith();
    const env = { DOCKER_HOST: place.engine.host, XDG_RUNTIME_DIR: parent };
    const spec = specOf(['/bin/sh', '-c', 'echo up; exec sleep 60'], {
      network: [{ host: 'example.com', below: false, port: null }],
    });
    const child = spawn(process.execPath, [await driver(), JSON.stringify(spec)], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const runtime = createDockerRuntime(hostEnvironment({ env }));
    await runtime.sweep();
    const names = [`repertoire-bridge-${spec.id}`, `repertoire-tool-${spec.id}`];
    expect(place.engine.containers().toSorted()).toEqual(names);
    expect(readdirSync(parent)).toHaveLength(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await runtime.sweep();
    expect(place.count()).toBe(0);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('is called lost when somebody else removes it', async () => {
    const spec = specOf(['/bin/sh', '-c', 'echo up; exec sleep 60']);
    const run = await runIn(place.runtime, spec, {
      onOutput: () => void engine('DELETE', `/containers/repertoire-tool-${spec.id}?force=true`),
    });
    // Some engines tell the exit code of what they kill before they remove it.
    expect(['lost', 'memory']).toContain(run.reason);
    expect(place.count()).toBe(0);
  });

  it('is called lost when the engine dies', async () => {
    const run = await runIn(place.runtime, specOf(['/bin/sh', '-c', 'echo up; exec sleep 60']), {
      onOutput: () => void place.engine.crash(),
    });
    expect(run).toMatchObject({ reason: 'lost', exitCode: null, stdout: 'up\n' });
    expect(run.message).toContain('engine stopped answering');
  });

  async function leave(name: string, owner: string): Promise<void> {
    await engine('POST', `/containers/create?name=${name}`, {
      Image: image,
      Entrypoint: ['/bin/sleep', '60'],
      Labels: { [labels.owner]: owner },
      HostConfig: { NetworkMode: 'none' },
    });
  }

  function engine(method: string, path: string, body?: object): Promise<void> {
    return new Promise((settle, fail) => {
      const headers = { 'Content-Type': 'application/json' };
      const asked = request({ socketPath: place.engine.socket, method, path, headers }, (response) => {
        response.resume();
        response.on('end', () => {
          const { statusCode = 500 } = response;
          if (statusCode < 300) settle();
          else fail(new Error(`${method} ${path}: ${statusCode}`));
        });
      });
      asked.on('error', fail);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
});

/** The program that runs one container, as one file. */
async function driver(): Promise<string> {
  const settings = new URL('../../rolldown.config.mjs', import.meta.url).href;
  const [, { plugins: _notices, ...library }] = (await import(settings)).default;
  const input = fileURLToPath(new URL('../support/docker-driver.ts', import.meta.url));
  const bundle = await rolldown({ ...library, input });
  const dir = folderWith();
  await bundle.write({ dir, format: 'esm', entryFileNames: 'driver.mjs', chunkFileNames: '[name].mjs' });
  await bundle.close();
  return join(dir, 'driver.mjs');
}

async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
