import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Environment } from '../../../core/environment.ts';
import type { Limits } from '../../policy/types.ts';
import type { RunSpec } from '../types.ts';
import { placeProgram, unreachableIn } from './place-program.ts';
import { readRows, treeOf } from './plain-process.ts';
import { createNativeRuntime } from './runtime.ts';
import { commandLine, limitScript, settingsFor } from './seatbelt.ts';

const limits: Limits = {
  timeoutMs: 1000,
  memoryBytes: 1e6,
  processes: 4,
  outputBytes: 10,
  scratchBytes: 10,
  fileBytes: 1000,
  cpuSeconds: 3,
};

function world() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'native-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const environment: Environment = { cwd: home, home, env: {}, platform: 'linux', systemDir: '/etc' };
  const spec: RunSpec = {
    id: 'x',
    task: { kind: 'command', program: '/bin/sh', args: ["it's", '$(id)'] },
    env: {},
    stdin: null,
    skillFolder: join(home, 'skills', 'one'),
    folder: 'skill',
    mounts: [],
    network: [],
    limits,
  };
  const program = (path: string) => {
    const file = join(home, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '#!/bin/sh\n');
    chmodSync(file, 0o755);
    return file;
  };
  return { home, environment, spec, program, place: (path: string) => placeProgram(spec, path, ['/usr'], environment) };
}

it('programs of the system and of the skill are found at their paths inside the sandbox', () => {
  const { place, program } = world();
  expect(place('/bin/sh')).toEqual({ ok: true, program: '/bin/sh', binds: [] });
  expect(place('/usr/bin/env')).toEqual({ ok: true, program: '/usr/bin/env', binds: [] });
  expect(place(program('skills/one/scripts/go'))).toEqual({ ok: true, program: '/skill/scripts/go', binds: [] });
  expect(place('/no/such/program')).toMatchObject({ ok: false, reason: expect.stringContaining('does not exist') });
});

it('a program from elsewhere is mounted with its installation, and nothing else', () => {
  const { place, program, home } = world();
  const binds = (path: string) => {
    const placed = place(path);
    return placed.ok ? placed.binds.map(({ source, access }) => [source.slice(home.length), access]) : [];
  };
  expect(binds(program('.nvm/versions/v20/bin/node'))).toEqual([['/.nvm/versions/v20', 'read']]);
  expect(binds(program('.pyenv/shims/python3'))).toEqual([['/.pyenv', 'read']]);
  // Folders that hold far more than programs are not shown for the sake of one.
  expect(binds(program('bin/tool'))).toEqual([['/bin/tool', 'read']]);
  expect(binds(program('.local/bin/tool'))).toEqual([['/.local/bin/tool', 'read']]);
  expect(binds(program('tools/single'))).toEqual([['/tools/single', 'read']]);
  mkdirSync(join(home, 'project/.venv/bin'), { recursive: true });
  symlinkSync('/usr/bin/env', join(home, 'project/.venv/bin/python'));
  expect(binds(join(home, 'project/.venv/bin/python'))).toEqual([['/project/.venv', 'read']]);
});

it('paths that a run started by root cannot reach are reported beforehand', () => {
  const { home } = world();
  const bind = (access: 'read' | 'write') => [{ source: home, target: home, access }];
  chmodSync(home, 0o700);
  expect(unreachableIn(bind('read'))).toContain('chmod -R o+rX');
  chmodSync(home, 0o755);
  expect(unreachableIn(bind('read'))).toBeNull();
  expect(unreachableIn(bind('write'))).toContain('chmod -R o+rwX');
  expect(unreachableIn([{ source: join(home, 'nothing'), target: '/x', access: 'read' }])).toContain('does not exist');
});

it("the macOS profile closes users' folders, and opens what this run may see", () => {
  const { spec, home } = world();
  const mounts = [
    { source: '/data', target: '/data', access: 'read' },
    { source: '/out', target: '/out', access: 'write' },
  ] as const;
  const network = [
    { host: 'example.com', below: true, port: null },
    { host: 'api.test', below: false, port: 8443 },
  ];
  const settings = settingsFor({ ...spec, mounts, network }, { home, scratch: '/scratch', program: ['/opt/x'] });
  expect(settings.network.allowedDomains).toEqual(['*.example.com', 'api.test:8443']);
  expect(settings.filesystem.denyRead).toEqual(expect.arrayContaining([home, '/Users', '/private/var']));
  expect(settings.filesystem.allowRead).toEqual([spec.skillFolder, '/opt/x', '/data', '/scratch', '/out']);
  expect(settings.filesystem.allowWrite).toEqual(['/scratch', '/out']);
  expect(settings.filesystem.denyWrite).toEqual([spec.skillFolder, '/data']);
  expect(limitScript(limits)).toBe('ulimit -c 0 && ulimit -t 3 && ulimit -f 2 || exit 126; exec "$@"');
});

it('arguments are passed to the macOS sandbox one by one', () => {
  const { spec } = world();
  const real = {
    program: '/bin/sh',
    args: ["it's", '$(id)'],
    env: {},
    cwd: '/',
    scratch: '/s',
    remove: () => undefined,
  };
  expect(commandLine('/cli.js', '/settings', spec, real).slice(-3)).toEqual(['/bin/sh', "it's", '$(id)']);
});

it('a tree of processes is counted with those that left their parents', () => {
  const rows = readRows(
    '  1 0 1 10\n 10 1 10 100\n 11 10 10 200\n 12 11 12 300\n 13 1 10 400\n 14 1 14 500\nnonsense\n',
  );
  expect(treeOf(10, rows).map(({ pid }) => pid)).toEqual([10, 11, 12, 13]);
  expect(treeOf(10, rows).reduce((sum, { bytes }) => sum + bytes, 0)).toBe(1000 * 1024);
});

it('nothing is run where there is no sandbox', async () => {
  const { environment, spec } = world();
  const runtime = createNativeRuntime({ ...environment, platform: 'win32' });
  expect(await runtime.readiness()).toMatchObject({ ready: false, remedy: expect.stringContaining('wasm') });
  const watcher = { onOutput: () => undefined, signal: new AbortController().signal };
  expect(await runtime.run(spec, watcher)).toMatchObject({ reason: 'engine_error', exitCode: null });
});
