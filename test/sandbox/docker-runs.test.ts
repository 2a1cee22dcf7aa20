import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hostEnvironment } from '../../src/core/environment.ts';
import { createDockerRuntime } from '../../src/run/sandbox/docker/runtime.ts';
import type { SandboxRuntime } from '../../src/run/sandbox/types.ts';
import { Workshop } from '../run/workshop.ts';
import { folderWith, limits, runIn, shell, specOf, useContainers } from '../support/container-runs.ts';
import { image } from '../support/containers.ts';
import { isRoot } from '../support/root.ts';

describe.runIf(isRoot)('a tool in a container', () => {
  const place = useContainers();

  it('runs through the interface of the engine and leaves nothing [C4-RUNTIME-03 S4-SANDBOX-02]', async () => {
    const run = await runIn(place.runtime, specOf(['/bin/echo', 'hello']));
    expect(run).toMatchObject({ reason: 'exited', exitCode: 0, signal: null, message: null, stdout: 'hello\n' });
    expect(run.durationMs).toBeGreaterThan(0);
    expect(place.count()).toBe(0);
  });

  it('sees a private copy of its skill, which nobody changes while it runs [C4-CAP-13]', async () => {
    const shop = new Workshop();
    const manifest = `[skill]\nimage = "${image}"\n[tools.slow]\ncommand = ["sh", "scripts/slow.sh"]\n`;
    const folder = shop.skill(manifest, {
      'scripts/slow.sh': 'cat data; echo begun; sleep 1; cat data; ls\n',
      data: 'old\n',
    });
    chmodSync(join(folder, 'data'), 0o600); // others, as whom containers run, read the copy all the same
    const env = { DOCKER_HOST: place.engine.host };
    await shop.grant('demo', env);
    const started = shop.start(['run', 'demo:slow'], { env });
    await started.until('begun');
    for (const file of ['scripts/slow.sh', 'data']) writeFileSync(join(folder, file), 'echo evil\n', { flag: 'r+' });
    const { stdout, stderr } = await started.ended;
    expect([stdout, stderr]).toEqual(['old\nbegun\nold\nSKILL.md\ndata\nscripts\nskill.toml\n', '']);
  });

  it('runs by the runtime that was named, or not at all', async () => {
    const environment = hostEnvironment({ env: { DOCKER_HOST: place.engine.host } });
    const [known, other] = ['runc', 'runsc'].map((runtime) => createDockerRuntime(environment, { runtime })) as [
      SandboxRuntime,
      SandboxRuntime,
    ];
    const run = await runIn(known, specOf(['/bin/echo', 'hello']));
    expect([run.message, run.stdout]).toEqual([null, 'hello\n']);
    expect(run.enforcement).toContainEqual({ what: 'files', by: 'container of runc (mount namespace, read-only)' });
    const refused = await runIn(other, specOf(['/bin/echo', 'hello']));
    expect(refused.message).toMatch(/has no runtime `runsc` to offer \(it offers runc\).*containers\.conf/);
    await Promise.all([known.close(), other.close()]);
  });

  it('says what enforces what', async () => {
    const readiness = await place.runtime.readiness();
    expect(readiness.ready).toBe(true);
    const run = await runIn(place.runtime, specOf(['/bin/true']));
    expect(run.enforcement.map(({ what }) => what).toSorted()).toEqual([
      'cpu',
      'files',
      'memory',
      'network',
      'output',
      'processes',
      'scratch',
      'time',
      'user',
    ]);
    expect(run.enforcement).toContainEqual({ what: 'memory', by: 'cgroup' });
    expect(run.enforcement).toContainEqual({
      what: 'user',
      by: 'nobody, without privileges; our filter of system calls (seccomp)',
    });
  });

  it('keeps the two outputs and the exit code apart', async () => {
    const run = await shell(place.runtime, 'echo out; echo err >&2; exit 7');
    expect(run).toMatchObject({ reason: 'exited', exitCode: 7, stdout: 'out\n', stderr: 'err\n' });
  });

  it('puts together what is written byte by byte, thousands of times', async () => {
    const script = 'i=0; while [ $i -lt 20000 ]; do printf a; printf b >&2; i=$((i+1)); done';
    const run = await shell(place.runtime, script);
    expect(run.reason).toBe('exited');
    expect(run.stdout).toBe('a'.repeat(20_000));
    expect(run.stderr).toBe('b'.repeat(20_000));
  });

  it.each([
    ['a dollar', '$(id)'],
    ['backquotes', '`id`'],
    ['a semicolon', '; touch /tmp/injected'],
    ['a leading hyphen', '--help'],
    ['a line break', 'one\ntwo'],
    ['quotes', `'"\\`],
    ['nothing', ''],
    ['a word of the engine', '--privileged'],
    ['other scripts', 'übergröße 数据 \u{1F600}'],
  ])('hands over an argument with %s as it is', async (_name, value) => {
    const run = await runIn(place.runtime, specOf(['/bin/printf', '%s|', 'first', value, 'last']));
    expect(run).toMatchObject({ reason: 'exited', exitCode: 0, stdout: `first|${value}|last|` });
  });

  it('refuses an argument that no program can be given', async () => {
    const run = await runIn(place.runtime, specOf(['/bin/echo', 'a\0b']));
    expect(run).toMatchObject({ reason: 'engine_error', exitCode: null, stdout: '' });
    expect(run.message).toContain('NUL');
  });

  it('gives exactly its standard input, and closes it', async () => {
    const bytes = Buffer.alloc(3_000_000, 'x');
    const run = await runIn(place.runtime, specOf(['/bin/wc', '-c'], { stdin: bytes }));
    expect(run).toMatchObject({ reason: 'exited', stdout: '3000000\n' });
    const short = await runIn(place.runtime, specOf(['/bin/cat'], { stdin: Buffer.from('line\n') }));
    expect(short.stdout).toBe('line\n');
    const none = await runIn(place.runtime, specOf(['/bin/cat'], { stdin: new Uint8Array() }));
    expect(none).toMatchObject({ reason: 'exited', stdout: '' });
  });

  it('does not mind input that nobody reads', async () => {
    const run = await runIn(place.runtime, specOf(['/bin/true'], { stdin: Buffer.alloc(3_000_000) }));
    expect(run).toMatchObject({ reason: 'exited', exitCode: 0 });
  });

  it('has an empty input where none is given', async () => {
    const run = await runIn(place.runtime, specOf(['/bin/cat']));
    expect(run).toMatchObject({ reason: 'exited', stdout: '' });
  });

  it('has the variables that were given, whatever is in them, and none of ours', async () => {
    process.env['REPERTOIRE_TEST_SECRET'] = 'planted';
    onTestFinished(() => void delete process.env['REPERTOIRE_TEST_SECRET']);
    const env = { PLAIN: 'value', LINES: 'one\ntwo', EQUALS: 'a=b', EMPTY: '' };
    const run = await shell(place.runtime, 'cat /proc/self/environ; cat /proc/1/environ', { env });
    const variables = run.stdout.split('\0');
    for (const [name, value] of Object.entries(env)) expect(variables).toContain(`${name}=${value}`);
    expect(run.stdout).not.toContain('planted');
    const names = new Set(variables.filter(Boolean).map((line) => line.split('=')[0] ?? ''));
    const ofEngines = ['PATH', 'HOME', 'HOSTNAME', 'TERM', 'container', 'SHLVL', 'PWD'];
    expect([...names].filter((name) => !ofEngines.includes(name)).toSorted()).toEqual(Object.keys(env).toSorted());
  });

  it('starts in the folder it is told', async () => {
    const skillFolder = folderWith({ 'SKILL.md': 'text\n' });
    const inSkill = await shell(place.runtime, 'pwd; cat SKILL.md', { skillFolder, folder: 'skill' });
    expect(inSkill.stdout).toBe('/skill\ntext\n');
    const inScratch = await shell(place.runtime, 'pwd; ls', { skillFolder, folder: 'scratch' });
    expect(inScratch.stdout).toBe('/tmp\n');
  });

  it("runs what the image says where no program is given, and not the image's words where one is", async () => {
    place.engine.makeImage('localhost/speaking:1', ['ENTRYPOINT ["/bin/echo","entry"]', 'CMD ["words"]']);
    const task = (args: string[]) => ({ task: { kind: 'container', image: 'localhost/speaking:1', args } as const });
    expect((await runIn(place.runtime, specOf([], task([])))).stdout).toBe('entry words\n');
    expect((await runIn(place.runtime, specOf([], task(['/bin/echo'])))).stdout).toBe('\n');
    expect((await runIn(place.runtime, specOf([], task(['/bin/echo', 'mine'])))).stdout).toBe('mine\n');
  });

  it('never fetches an image, and says how to', async () => {
    const task = { kind: 'container', image: 'example.com/not/there:1', args: [] } as const;
    const run = await runIn(place.runtime, specOf([], { task }));
    expect(run).toMatchObject({ reason: 'engine_error', exitCode: null });
    expect(run.message).toContain('podman pull example.com/not/there:1');
  });

  it.each(['../containers/json?all=1', `${image}/json?`, 'a//b', '-x', 'a b', '', '%2e%2e/x'])(
    'takes %j for no image',
    async (name) => {
      const run = await runIn(place.runtime, specOf([], { task: { kind: 'container', image: name, args: [] } }));
      expect(run.reason).toBe('engine_error');
      expect(run.message).toContain('not the name of an image');
    },
  );

  it('runs nothing but containers', async () => {
    const task = { kind: 'command', program: '/bin/true', args: [] } as const;
    const run = await runIn(place.runtime, specOf([], { task }));
    expect(run).toMatchObject({ reason: 'engine_error', exitCode: null });
  });

  it('runs many at once without mixing them up', async () => {
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        shell(place.runtime, 'cat; echo $NUMBER', {
          env: { NUMBER: `${i}` },
          stdin: Buffer.from(`in ${i}\n`),
          limits: { ...limits, timeoutMs: 60_000 },
        }),
      ),
    );
    expect(runs.map((run) => run.stdout)).toEqual(runs.map((_, i) => `in ${i}\n${i}\n`));
    expect(place.count()).toBe(0);
  });
});
