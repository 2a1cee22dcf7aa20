import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HostRule } from '../../src/run/policy/types.ts';
import { limits, runIn, shell, specOf, useContainers } from '../support/container-runs.ts';
import { type ContainerEngine, image, startContainerEngine } from '../support/containers.ts';
import { listenOn } from '../support/listen.ts';
import { isRoot } from '../support/root.ts';
import { openFolder, type Subject, sandboxContract } from './contract.ts';
import { type Driver, runtimeOf } from './identities.ts';
import { shellWords } from './shell-programs.ts';

describe.runIf(isRoot)('further attacks on containers', () => {
  const place = useContainers();

  it('cannot fill the scratch folder with many small files [C4-LIMIT-07]', async () => {
    const script = 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo x > /tmp/$i || break; done; echo $i';
    const run = await shell(place.runtime, script);
    expect(run).toMatchObject({ reason: 'scratch_limit', exitCode: 0 });
    expect(Number(run.stdout)).toBeLessThanOrEqual(limits.scratchBytes / 4096 + 1);
    expect(run.stderr).toContain('No space left on device');
  });

  it('nor the memory of the machine with many that are empty [C4-LIMIT-04]', async () => {
    // A program of its own makes thousands of them at a time.
    const script =
      'cd /tmp; n=0; while [ $n -lt 300 ]; do n=$((n+1)); seq $((n*1000)) $((n*1000+999)) | xargs touch || exit; done; echo all of them';
    const run = await shell(place.runtime, script, { limits: { ...limits, memoryBytes: 32 * 1024 * 1024 } });
    expect(run.stdout).not.toContain('all of them');
    expect(['memory', 'exited']).toContain(run.reason);
    expect(place.count()).toBe(0);
  });
});

/** Somebody who is not root, and who may use the engine of root. */
interface Caller {
  readonly engine: ContainerEngine;
  readonly driver: Driver;
  readonly close: () => Promise<void>;
}

async function unprivilegedCaller(): Promise<Caller> {
  const engine = await startContainerEngine();
  chmodSync(dirname(engine.socket), 0o711);
  chmodSync(engine.socket, 0o666);
  const bundle = await bundled();
  const driver = await runtimeOf('nobody', {
    env: { DOCKER_HOST: engine.host },
    prepare: (folder) => cpSync(bundle, folder, { recursive: true }),
  });
  const close = async () => {
    await driver.close();
    await engine.stop();
    rmSync(bundle, { recursive: true, force: true });
  };
  return { engine, driver, close };
}

/** The driver with all that the runtime needs, in a folder. */
async function bundled(): Promise<string> {
  const settings = new URL('../../rolldown.config.mjs', import.meta.url).href;
  const [, { plugins: _notices, ...library }] = (await import(settings)).default;
  const bundle = await rolldown({ ...library, input: fileURLToPath(new URL('./docker-driver.ts', import.meta.url)) });
  const dir = mkdtempSync(join(tmpdir(), 'caller-'));
  await bundle.write({ dir, format: 'esm', entryFileNames: 'driver.mjs', chunkFileNames: '[name].mjs' });
  await bundle.close();
  return dir;
}

sandboxContract(
  'docker, for somebody who is not root',
  async (): Promise<Subject> => {
    const { driver, close } = await unprivilegedCaller();
    return {
      runtime: driver.runtime,
      // Root's processes cannot be looked into: that a program met with its limit is told by the program alone.
      lacks: ['sight of processes'],
      program: (behaviour) => ({
        kind: 'container',
        image,
        args: behaviour.does === 'environment' ? ['/bin/env'] : shellWords(behaviour),
      }),
      close,
    };
  },
  isRoot,
);

describe.runIf(isRoot)('docker, for somebody who is not root', () => {
  it('reaches the network that was granted, and leaves nothing', async () => {
    const { engine, driver, close } = await unprivilegedCaller();
    onTestFinished(close);
    const server = createServer((_, response) => void response.end('granted\n'));
    const port = await listenOn(server);
    const granted: HostRule = { host: '127.0.0.1', below: false, port };
    const script = `wget -q -O - http://127.0.0.1:${port}/; wget -q -O - http://127.0.0.1:1/ || echo refused`;
    const skillFolder = openFolder('skill');
    const run = await runIn(driver.runtime, specOf(['/bin/sh', '-c', script], { network: [granted], skillFolder }));
    expect(run, run.message ?? '').toMatchObject({ reason: 'exited', stdout: 'granted\nrefused\n' });
    expect(engine.containers()).toEqual([]);
  });
});
