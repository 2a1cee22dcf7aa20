import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hostEnvironment } from '../../src/core/environment.ts';
import { findSocket } from '../../src/run/sandbox/docker/engine.ts';
import { createDockerRuntime } from '../../src/run/sandbox/docker/runtime.ts';
import type { SandboxRuntime } from '../../src/run/sandbox/types.ts';
import { folderWith, limits, runIn, specOf } from '../support/container-runs.ts';
import { ableEngine, engineThatSays, startFakeEngine } from '../support/fake-engine.ts';

function runtimeWith(env: Record<string, string>): SandboxRuntime {
  return createDockerRuntime(hostEnvironment({ env }));
}

/** Whether it is refused alike when asked and when run, with words that hold both of these. */
async function expectRefusal(runtime: SandboxRuntime, reason: string, remedy: string): Promise<void> {
  expect(await runtime.readiness()).toMatchObject({
    ready: false,
    reason: expect.stringContaining(reason),
    remedy: expect.stringContaining(remedy),
  });
  const run = await runIn(runtime, specOf(['/bin/true']));
  expect(run).toMatchObject({ reason: 'engine_error', exitCode: null });
  expect(run.message).toContain(reason);
  expect(run.message).toContain(remedy);
  await runtime.sweep();
  await runtime.close();
}

describe('an engine', () => {
  it('is refused where it could not keep a limit [C4-RUNTIME-04]', async () => {
    const rootless = [...ableEngine.SecurityOptions, 'name=rootless'];
    const unable: readonly [Partial<typeof ableEngine>, string][] = [
      [{ SecurityOptions: rootless, CgroupVersion: '1' }, 'without root on cgroup v1'],
      [{ CgroupDriver: 'none' }, 'does not use cgroups'],
      [{ MemoryLimit: false }, 'limit memory'],
      [{ SwapLimit: false }, 'limit swap'],
      [{ PidsLimit: false }, 'number of processes'],
    ];
    for (const [lack, reason] of unable) {
      const engine = await engineThatSays({ ...ableEngine, ...lack });
      await expectRefusal(runtimeWith({ DOCKER_HOST: engine.host }), reason, 'cgroup v2');
      expect(engine.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
    }
  });

  it('is taken where it can, also without root on cgroup v2', async () => {
    for (const SecurityOptions of [ableEngine.SecurityOptions, ['name=rootless'], null]) {
      const { host } = await engineThatSays({ ...ableEngine, SecurityOptions });
      expect(await runtimeWith({ DOCKER_HOST: host }).readiness()).toMatchObject({ ready: true });
    }
  });

  it('is refused where it says nothing of limits at all, or runs other containers', async () => {
    const silent = await engineThatSays({});
    await expectRefusal(runtimeWith({ DOCKER_HOST: silent.host }), 'limit memory', 'cgroup v2');
    const other = await engineThatSays({ ...ableEngine, OSType: 'windows' });
    await expectRefusal(runtimeWith({ DOCKER_HOST: other.host }), 'does not run Linux containers', 'Linux containers');
  });

  it('is not trusted when it leaves out a limit that it says it has', async () => {
    const engine = await startFakeEngine((method, path) => {
      if (path === '/_ping') return { body: 'OK' };
      if (path.startsWith('/info')) return { body: ableEngine };
      if (path.startsWith('/images/')) return { body: { Id: 'sha256:1', Config: {} } };
      if (path.startsWith('/containers/create')) return { status: 201, body: { Id: 'abc', Warnings: ['discarded'] } };
      if (method === 'DELETE') return { status: 204, body: '' };
      return { body: { HostConfig: { Memory: 0, MemorySwap: limits.memoryBytes, PidsLimit: limits.processes } } };
    });
    const run = await runIn(runtimeWith({ DOCKER_HOST: engine.host }), specOf(['/bin/true']));
    expect(run.reason).toBe('engine_error');
    expect(run.message).toContain('ignores Memory');
    expect(engine.requests.some((request) => request.endsWith('/start'))).toBe(false);
    expect(engine.requests.at(-1)).toMatch(/^DELETE \/containers\/repertoire-tool-test-/);
  });

  it('is given our filter of system calls, and the runtime that was named, where it has it', async () => {
    const named = { ...ableEngine, Runtimes: { runc: {}, runsc: {} } };
    const engine = await startFakeEngine((_method, path) => {
      if (path === '/_ping') return { body: 'OK' };
      if (path.startsWith('/info')) return { body: named };
      if (path.startsWith('/images/')) return { body: { Id: 'sha256:1', Config: {} } };
      return { status: 500, body: { message: 'no' } };
    });
    const environment = hostEnvironment({ env: { DOCKER_HOST: engine.host } });
    await runIn(createDockerRuntime(environment, { runtime: 'runsc' }), specOf(['/bin/true']));
    const { HostConfig } = JSON.parse(engine.bodies.join(''));
    expect(HostConfig).toMatchObject({ Runtime: 'runsc', SecurityOpt: ['no-new-privileges', expect.any(String)] });
    const { defaultAction, syscalls } = JSON.parse(HostConfig.SecurityOpt[1].replace(/^seccomp=/, ''));
    expect(defaultAction).toBe('SCMP_ACT_ALLOW');
    expect(syscalls[0]).toMatchObject({
      action: 'SCMP_ACT_ERRNO',
      names: expect.arrayContaining(['keyctl', 'unshare']),
    });
  });

  it('is refused where it does not have the runtime that was named', async () => {
    for (const [Runtimes, has] of [[{ runc: {}, crun: {} }, 'runc, crun'] as const, [null, 'none'] as const]) {
      const { host } = await engineThatSays({ ...ableEngine, Runtimes });
      const runtime = createDockerRuntime(hostEnvironment({ env: { DOCKER_HOST: host } }), { runtime: 'runsc' });
      await expectRefusal(runtime, `has no runtime \`runsc\` to offer (it offers ${has})`, 'Install runsc');
    }
  });

  it('is asked for nothing by way of an address that others could read', async () => {
    const paths: string[] = [];
    const { host } = await startFakeEngine((_method, path) => {
      paths.push(path);
      if (path === '/_ping') return { body: 'OK' };
      if (path.startsWith('/info')) return { body: ableEngine };
      if (path.startsWith('/images/')) return { body: { Id: 'sha256:1', Config: {} } };
      return { status: 500, body: { message: 'no' } };
    });
    await runIn(runtimeWith({ DOCKER_HOST: host }), specOf(['/bin/x', 'argument'], { env: { TOKEN: 'secret-value' } }));
    expect(paths.some((path) => path.startsWith('/containers/create'))).toBe(true);
    expect(decodeURIComponent(paths.join('\n'))).not.toMatch(/secret-value|argument/);
  });

  it('that hangs holds nobody longer than the deadline and what killing may take', async () => {
    const { host } = await startFakeEngine((_method, path) => {
      if (path === '/_ping') return { body: 'OK' };
      if (path.startsWith('/info')) return { body: ableEngine };
      return undefined;
    });
    const spec = specOf(['/bin/true'], { limits: { ...limits, timeoutMs: 300 } });
    const run = await runIn(runtimeWith({ DOCKER_HOST: host }), spec);
    expect(run.reason).toBe('timeout');
  });

  it('is asked again where it was not there', async () => {
    const folder = folderWith();
    const socket = join(folder, 'late.sock');
    const runtime = runtimeWith({ DOCKER_HOST: `unix://${socket}` });
    await expectRefusal(runtime, 'ENOENT', 'Start the engine');
    const engine = await engineThatSays(ableEngine);
    const late = createDockerRuntime(hostEnvironment({ env: {} }), { socket: engine.socket });
    expect(await late.readiness()).toMatchObject({ ready: true });
  });

  it('that does not answer as one is refused', async () => {
    const { host } = await startFakeEngine(() => ({ status: 500, body: { message: 'broken inside' } }));
    await expectRefusal(runtimeWith({ DOCKER_HOST: host }), 'broken inside', 'docker info');
  });
});

describe('the socket of an engine', () => {
  it.each([
    'tcp://127.0.0.1:2375',
    'ssh://me@host',
    'http://x',
    'npipe:////./pipe/docker_engine',
    'unix://',
    '/a.sock',
    'fd://',
  ])('is not %s', async (host) => {
    await expectRefusal(runtimeWith({ DOCKER_HOST: host }), 'only an engine on this machine', 'unix:///');
  });

  it('is the one that is named, before the ones that are there', async () => {
    const folder = folderWith();
    mkdirSync(join(folder, 'podman'));
    const sockets = ['named.sock', 'second.sock', 'podman/podman.sock'].map((name) => join(folder, name));
    for (const path of sockets) await listen(path);
    const [named = '', second = '', session = ''] = sockets;
    const find = (env: Record<string, string>) => findSocket(hostEnvironment({ env }));
    const all = { DOCKER_HOST: `unix://${named}`, CONTAINER_HOST: `unix://${second}`, XDG_RUNTIME_DIR: folder };
    expect(find(all)).toEqual({ socket: named });
    expect(find({ ...all, DOCKER_HOST: '' })).toEqual({ socket: second });
    // An engine of the whole machine, where there is one, goes before the one of a user.
    const found = find({ XDG_RUNTIME_DIR: folder });
    expect([session, '/var/run/docker.sock']).toContain(found.socket);
  });

  it('is a socket, and not a file of that name', () => {
    const folder = folderWith({ 'engine.sock': '' });
    const found = findSocket(hostEnvironment({ env: { DOCKER_HOST: `unix://${folder}/engine.sock` } }));
    expect(found).toMatchObject({ socket: null, reason: expect.stringContaining('is not a socket') });
  });
});

async function listen(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((settle) => server.listen(path, settle));
  onTestFinished(() => void server.close());
}
