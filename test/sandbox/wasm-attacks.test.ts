import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programFor } from '../../src/run/sandbox/wasm/context.ts';
import { loaderOf } from '../../src/run/sandbox/wasm/engine-files.ts';
import { startPlain } from '../../src/run/sandbox/wasm/memory.ts';
import { assemble } from './guests/assemble.ts';
import { createStage, type Stage, usualLimits } from './guests/stage.ts';
import { stageAs } from './guests/stage-as.ts';
import {
  descriptors,
  guestOf,
  hardLink,
  makeFolder,
  read,
  remove,
  rename,
  type Step,
  symlink,
  write,
} from './guests/steps.ts';
import { identities } from './identities.ts';

const { skill, scratch, firstMount } = descriptors;
const planted = 'planted-in-our-environment';
const loader = loaderOf(process.execPath) ?? '';

/** Ways up and out from a folder, to a file by its whole path. */
const waysTo = (path: string): readonly string[] => [
  path,
  `..${path}`,
  `../../../../../../../../..${path}`,
  `./.././../..${path}`,
  `a/../../..${path}`,
  `//${path}`,
  `${path}\0.txt`,
];

/** Climbs by links of its own making: each `q` is the folder itself, so that `q/..` leads one further up than counted. */
function climbing(from: number, path: string): Step[] {
  const ups = [1, 2, 3, 4, 6];
  return [
    symlink('q', '.', from, 'q'),
    ...ups.flatMap((count) => [
      symlink(`esc${count}`, `${'q/../'.repeat(count)}${path.slice(1)}`, from, `esc${count}`),
      read(`read${count}`, from, `esc${count}`),
      read(`kept${count}`, from, `esc${count}`, 'stop'),
      read(`in${count}`, from, `esc${count}/environ`),
      symlink(`up${count}`, 'q/..'.concat('/q/..'.repeat(count - 1)), from, `up${count}`),
      read(`below${count}`, from, `up${count}${path}`),
      read(`beside${count}`, from, `up${count}/secret.txt`),
      write(`write${count}`, from, `esc${count}`, 'overwritten by a guest'),
    ]),
  ];
}

/** In a sandbox, as whoever runs the tests and as nobody; and where there is none. */
const stages: Readonly<Record<string, () => Promise<Stage>>> = {
  sandboxed: async () => createStage({}, { PLANTED_SECRET: planted }),
  'in memory': async () => createStage({ isolation: 'memory' }, { PLANTED_SECRET: planted }),
  ...Object.fromEntries(
    identities
      .filter((name) => name !== 'yourself')
      .map((name) => [`sandboxed, as ${name}`, () => stageAs(name, { PLANTED_SECRET: planted })]),
  ),
};

for (const [kind, make] of Object.entries(stages)) {
  describe(`a guest that wants out (${kind})`, () => {
    let stage: Stage;
    beforeAll(async () => {
      process.env['PLANTED_SECRET'] = planted;
      stage = await make();
    });
    afterAll(async () => {
      delete process.env['PLANTED_SECRET'];
      await stage.end();
    });
    const run = async (steps: readonly Step[], more = {}) => stage.run(await guestOf(steps), more);
    const secret = () => join(stage.root, 'secret.txt');

    it.each([
      ['constructor', 'defineProperty', '(param externref externref externref) (result externref)'],
      ['__proto__', 'constructor', '(result externref)'],
      ['toString', 'call', '(param externref) (result externref)'],
      ['wasi_snapshot_preview1', 'constructor', '(param externref) (result externref)'],
      ['wasi_snapshot_preview1', '__proto__', '(result externref)'],
      ['wasi_snapshot_preview1', 'hasOwnProperty', '(param externref) (result externref)'],
    ])('gets nothing of the engine by importing %s.%s', async (from, name, type) => {
      const text = `(module (import "${from}" "${name}" (func ${type})) (memory (export "memory") 1) (func (export "_start")))`;
      const result = await stage.run(await assemble(text));
      expect(result).toMatchObject({ reason: 'engine_error', stdout: '' });
      expect(result.message).toContain('which is not a function of WASI');
    });

    it.each(['memory 1', 'global externref', 'table 1 externref'])('gets nothing by importing a %s', async (kind) => {
      const text = `(module (import "wasi_snapshot_preview1" "fd_write" (${kind})) (func (export "_start")))`;
      expect((await stage.run(await assemble(text))).message).toContain('which is not a function of WASI');
    });

    it('passes no references to objects through the functions of WASI', async () => {
      const text = `(module
        (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param funcref)))
        (memory (export "memory") 1)
        (func $start (export "_start") (call $exit (ref.func $start)))
        (elem declare func $start))`;
      expect((await stage.run(await assemble(text))).stderr).toContain('numbers only');
    });
    const isUntouched = () => readFileSync(secret(), 'utf8') === 'the secret of the host';

    it('reaches no file outside by its path [C4-RUNTIME-01 S4-SANDBOX-01]', async () => {
      const targets = [secret(), '/etc/passwd', '/proc/self/environ', '/proc/1/environ', '/proc/self/mem'];
      const ways = targets.flatMap(waysTo);
      const steps = [skill, scratch].flatMap((from) => ways.map((way, index) => read(`r${from}-${index}`, from, way)));
      const { reason, exitCode, stdout } = await run([...steps, read('own', skill, 'data.txt')]);
      expect({ reason, exitCode }).toEqual({ reason: 'exited', exitCode: 0 });
      // It did run, and read what it may.
      expect(stdout).toContain('own:data of the skill');
      expect(stdout.match(/=00\n/g)).toHaveLength(1);
      expect(stdout).not.toMatch(/secret of the host|root:|planted/);
    });

    it('gets nowhere with a path that is too long', async () => {
      const { reason, stdout } = await run([
        read('long', skill, 'a/'.repeat(6000)),
        read('name', skill, 'x'.repeat(5000)),
      ]);
      expect(reason).toBe('exited');
      expect(stdout).not.toContain('=00');
    });

    it('reaches nothing through links that were planted in the skill', async () => {
      symlinkSync(secret(), join(stage.skill, 'file-link'));
      symlinkSync(stage.root, join(stage.skill, 'folder-link'));
      symlinkSync('/', join(stage.skill, 'root-link'));
      const { stdout } = await run([
        read('file', skill, 'file-link'),
        read('folder', skill, 'folder-link/secret.txt'),
        read('root', skill, 'root-link/etc/passwd'),
        read('proc', skill, 'root-link/proc/self/environ'),
        write('write', skill, 'folder-link/secret.txt', 'overwritten by a guest'),
        read('own', skill, 'data.txt'),
      ]);
      expect(stdout).toContain('own:data of the skill');
      expect(stdout.match(/=00\n/g)).toHaveLength(1);
      expect(isUntouched()).toBe(true);
    });

    it('climbs no link of its own making to a secret', async () => {
      const { reason, stdout } = await run(climbing(scratch, secret()));
      expect(reason).toBe('exited');
      expect(stdout).toContain('q=');
      expect(stdout).not.toContain('secret of the host');
      expect(isUntouched()).toBe(true);
    });

    it('climbs no link to the environment of ours or of its keeper [C4-CAP-03]', async () => {
      const targets = [
        '/proc/self',
        '/proc/1',
        '/proc/self/environ',
        '/proc/1/environ',
        '/proc/self/mem',
        '/proc/self/maps',
      ];
      for (const target of targets) {
        const { stdout } = await run(climbing(scratch, target));
        expect(stdout, target).not.toMatch(/planted|PLANTED|HOME=|LD_LIBRARY_PATH|read\d:./);
      }
    });

    it('cannot change its skill [C4-CAP-07]', async () => {
      const before = readdirSync(stage.skill).length;
      const { stdout } = await run([
        write('over', skill, 'data.txt', 'changed'),
        write('new', skill, 'new.txt', 'new'),
        remove('remove', skill, 'data.txt'),
        rename('away', skill, 'data.txt', scratch, 'data.txt'),
        rename('about', skill, 'data.txt', skill, 'other.txt'),
        makeFolder('folder', skill, 'folder'),
        symlink('link', '/', skill, 'link'),
        hardLink('hard', skill, 'data.txt', skill, 'hard.txt'),
        read('still', skill, 'data.txt'),
      ]);
      expect(stdout).toContain('still:data of the skill');
      expect(stdout.match(/=00\n/g)).toHaveLength(1);
      expect(readFileSync(join(stage.skill, 'data.txt'), 'utf8')).toBe('data of the skill');
      // The guest itself is the one file more.
      expect(readdirSync(stage.skill).length).toBe(before + 1);
    });

    it('has a scratch folder that is gone afterwards [C4-CAP-08]', async () => {
      const name = `scratch-of-${process.pid}`;
      const first = await run([write('put', scratch, name, 'mine'), read('get', scratch, name)]);
      expect(first.stdout).toContain('get:mine');
      expect(existsSync(join('/tmp', name))).toBe(false);
      expect((await run([read('get', scratch, name)])).stdout).not.toContain('=00');
    });
  });
}

for (const [kind, make] of Object.entries(stages).filter(([name]) => name !== 'in memory')) {
  describe(`a guest that wants out of its grant (${kind})`, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await make();
    });
    afterAll(() => stage.end());
    const grant = (access: 'read' | 'write') => {
      const source = stage.folder(`granted-${access}`);
      return { source, target: '/data', access } as const;
    };

    it('reads what was granted for reading, and does not write it [C4-CAP-02 C4-RUNTIME-02]', async () => {
      const mount = grant('read');
      writeFileSync(join(mount.source, 'given.txt'), 'given');
      symlinkSync(join(stage.root, 'secret.txt'), join(mount.source, 'file-link'));
      symlinkSync('..', join(mount.source, 'folder-link'));
      const steps = [
        read('given', firstMount, 'given.txt'),
        write('over', firstMount, 'given.txt', 'changed'),
        write('new', firstMount, 'new.txt', 'new'),
        hardLink('hard', firstMount, 'given.txt', scratch, 'hard.txt'),
        read('file', firstMount, 'file-link'),
        read('folder', firstMount, 'folder-link/secret.txt'),
        read('skill', firstMount, 'folder-link/skill/data.txt'),
      ];
      const { stdout } = await stage.run(await guestOf(steps), { mounts: [mount] });
      expect(stdout).toContain('given:given');
      expect(stdout).not.toContain('secret of the host');
      expect(stdout).not.toContain('written');
      expect(stdout).toMatch(/hard=(?!00)/);
      expect(readdirSync(mount.source).sort()).toEqual(['file-link', 'folder-link', 'given.txt']);
      expect(readFileSync(join(mount.source, 'given.txt'), 'utf8')).toBe('given');
    });

    it('climbs out of a writable grant by no link, to read or to write [C4-CAP-02]', async () => {
      const mount = grant('write');
      // Whoever the run is may write here.
      chmodSync(mount.source, 0o777);
      const secret = join(stage.root, 'secret.txt');
      const outer = climbing(firstMount, '/secret.txt');
      const steps = [
        write('put', firstMount, 'made.txt', 'made'),
        ...climbing(firstMount, secret),
        symlink('dir', '..', firstMount, 'dir'),
        read('dir-secret', firstMount, 'dir/secret.txt'),
        hardLink('hard', skill, 'data.txt', firstMount, 'hard.txt'),
      ];
      const first = await stage.run(await guestOf(steps), { mounts: [mount] });
      expect(first.stdout).toContain('put:written');
      expect(first.stdout).toMatch(/^q=00$/m);
      expect(first.stdout).not.toContain('secret of the host');
      const second = await stage.run(await guestOf(outer), { mounts: [mount] });
      expect(second.stdout).not.toContain('secret of the host');
      expect(readFileSync(secret, 'utf8')).toBe('the secret of the host');
      expect(readFileSync(join(mount.source, 'made.txt'), 'utf8')).toBe('made');
    });

    it('finds nothing of the machine even where it can climb', async () => {
      // With links of its own the guest does get out of its folders, as far as the engine is concerned: to a place where
      // there is nothing.
      const machine = [
        'etc/passwd',
        'usr/bin/env',
        'bin/sh',
        'home',
        'root/.bashrc',
        'proc/self/environ',
        'sys/kernel',
      ];
      // Neither of the engine, which had to be there to be started.
      const programs = ['node', 'wasm-runner.cjs', 'module.wasm', 'lib'].map((name) => `engine/${name}`);
      const names = [...machine, ...programs, 'engine', loader.slice(1), dirname(loader).slice(1)];
      const steps = names.flatMap((name, index) => [
        symlink('q', '.', scratch, `q${index}`),
        symlink('e', `q${index}/../q${index}/../${name}`, scratch, `e${index}`),
        read(`found-${index}`, scratch, `e${index}`),
        read(`below-${index}`, scratch, `e${index}/`),
      ]);
      const { stdout } = await stage.run(await guestOf(steps));
      expect(stdout).toContain('q=00');
      expect(stdout).not.toMatch(/(found|below)-\d+=00/);
    });

    it('reads nothing of the engine through links that were planted in the skill', async () => {
      symlinkSync('/engine', join(stage.skill, 'engine-link'));
      symlinkSync('/engine/node', join(stage.skill, 'node-link'));
      symlinkSync('../engine', join(stage.skill, 'engine-beside'));
      symlinkSync(dirname(loader), join(stage.skill, 'loader-link'));
      const paths = [
        'engine-link/node',
        'engine-link/lib',
        'node-link',
        'engine-beside/node',
        'engine-beside/module.wasm',
      ];
      const steps = [...paths, `loader-link/${basename(loader)}`].map((path, index) => read(`r${index}`, skill, path));
      const { stdout } = await stage.run(await guestOf([...steps, read('own', skill, 'data.txt')]));
      expect(stdout).toContain('own:data of the skill');
      expect(stdout.match(/=00\n/g)).toHaveLength(1);
    });
  });
}

/** What a program of ours can do where it is started as in memory mode: each line says what came of an attempt. */
async function attemptsOf(script: string, folder: string): Promise<string> {
  const file = join(folder, 'program.cjs');
  writeFileSync(
    file,
    `const attempt = (name, action) => {
      try { console.log(name + '=' + action()); } catch (error) { console.log(name + ' refused: ' + (error.code ?? error.message)); }
    };
    ${script}`,
  );
  const child = startPlain({ program: file, plan: {}, binds: [], limits: usualLimits });
  let text = '';
  child.running.stdout.on('data', (bytes: Buffer) => {
    text += bytes.toString('utf8');
  });
  child.running.stderr.resume();
  await child.running.ended;
  return text;
}

describe('the process in memory mode', () => {
  let stage: Stage;
  beforeAll(() => {
    stage = createStage();
  });
  afterAll(() => stage.end());

  it('could not use files, processes, threads, native code or the environment, even if a guest took it over', async () => {
    const secret = JSON.stringify(join(stage.root, 'secret.txt'));
    const text = await attemptsOf(
      `attempt('read', () => require('node:fs').readFileSync(${secret}, 'utf8'));
      attempt('list', () => require('node:fs').readdirSync('/'));
      attempt('write', () => require('node:fs').writeFileSync(${secret}, 'overwritten by a guest'));
      attempt('spawn', () => require('node:child_process').execFileSync('/bin/true'));
      attempt('thread', () => new (require('node:worker_threads').Worker)('0', { eval: true }));
      attempt('code', () => Function('return 1')());
      attempt('native', () => process.dlopen({ exports: {} }, '/lib/x.node'));
      attempt('inspect', () => require('node:inspector').open(0));
      attempt('env', () => JSON.stringify(process.env));`,
      stage.root,
    );
    expect(text.match(/refused/g)).toHaveLength(8);
    expect(text).toContain('env={}');
  });

  it('has nothing within reach of a guest that acts on the machine', async () => {
    const build = await rolldown({
      input: fileURLToPath(new URL('../../src/run/sandbox/wasm/inside/inside.ts', import.meta.url)),
      platform: 'node',
    });
    const { code } = (await build.generate({ format: 'cjs' })).output[0];
    const text = await attemptsOf(
      `const print = console.log;
      const names = ['process', 'global', 'globalThis', 'require', 'fetch', 'WebSocket', 'Function', 'eval', 'console', 'setTimeout',
        'MessageChannel', 'BroadcastChannel', 'navigator', 'Proxy', 'Reflect'];
      const realm = globalThis;
      ((exports) => { ${code}; exports.closeRealm(); })({});
      print(names.filter((name) => name in realm).join() + '|' + typeof realm.Uint8Array);`,
      stage.root,
    );
    expect(text).toBe('|function\n');
  });
});

describe('the interface without a sandbox around it', () => {
  let stage: Stage;
  beforeAll(() => {
    stage = createStage();
  });
  afterAll(() => stage.end());

  it('lets the very same guests out, which is why it is never used so', async () => {
    const folder = stage.folder('open');
    const spec = stage.specFor(await guestOf(climbing(skill, '/secret.txt')));
    if (spec.task.kind !== 'module') throw new Error('not a module');
    const { file: module, digest } = spec.task;
    const child = spawn(process.execPath, ['--no-warnings', programFor('module')], {
      stdio: ['ignore', 'pipe', 'ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    });
    const [told, channel] = (child.stdio as readonly unknown[]).slice(5) as [Duplex, Duplex];
    for (const stream of [told, channel]) stream.on('error', () => undefined);
    told.write(`${JSON.stringify({ module, digest, preopens: { '/open': folder }, closes: [] })}\n`);
    channel.write(`${JSON.stringify({ args: ['guest'], env: {} })}\n`);
    let stdout = '';
    for await (const bytes of child.stdout ?? []) stdout += String(bytes);
    expect(stdout).toContain(':the secret of the host');
  });
});
