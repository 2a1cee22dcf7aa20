import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { thisProcess } from '../../src/core/disk/owner.ts';
import { hostEnvironment } from '../../src/core/environment.ts';
import { labels } from '../../src/run/sandbox/docker/engine.ts';
import { createDockerRuntime } from '../../src/run/sandbox/docker/runtime.ts';
import { Workshop } from '../run/workshop.ts';
import { folderWith, runIn, specOf, useContainers } from '../support/container-runs.ts';
import { image } from '../support/containers.ts';
import { engineThatRuns } from '../support/fake-engine.ts';
import { isRoot } from '../support/root.ts';

const secret = 'the secret of the host';

/** Turns a folder into a link that leads out, and back, some times a second, so that looks and mounts meet with either. */
const turning = `$| = 1; my ($shared, $outside, $turns) = @ARGV; print "begun\\n";
  for (1..$turns) {
    select(undef, undef, undef, 0.3); rename("$shared/inner", "$shared/kept"); symlink($outside, "$shared/inner");
    select(undef, undef, undef, 0.3); unlink "$shared/inner"; rename("$shared/kept", "$shared/inner");
  } print "done\\n";`;

/** The granted path of a tool, and what it does there. */
function skillOf(shop: Workshop, name: string, rule: string, tool: string): void {
  shop.skill(`[capabilities]\nfilesystem = ["${rule}"]\n[tools.go]\n${tool}`, {}, name);
}

describe.runIf(isRoot)('a folder that a container is given', () => {
  const place = useContainers();

  it('is the one that was checked, however another run with a write grant around it swaps it [C4-CAP-02]', async () => {
    const shop = new Workshop();
    const env = { DOCKER_HOST: place.engine.host };
    const ground = shop.place('shared/inner/file', 'outside/file');
    writeFileSync(join(ground, 'outside/file'), secret);
    const [shared, outside] = [join(ground, 'shared'), join(ground, 'outside')];
    const script = turning.replace(/[{}]/g, '$&$&');
    const words = JSON.stringify(['/usr/bin/perl', '-e', script, shared, outside, '15']);
    skillOf(shop, 'turner', `write:${shared}`, `command = ${words}\n`);
    skillOf(shop, 'reader', `read:${shared}/inner`, `image = "${image}"\ncommand = ["cat", "${shared}/inner/file"]\n`);
    for (const name of ['turner', 'reader']) await shop.grant(name, env);
    const turner = shop.start(['run', 'turner:go'], { env });
    await turner.until('begun');
    const runs = async () => {
      const outputs: string[] = [];
      while (!turner.said.includes('done')) outputs.push((await shop.run(['run', 'reader:go'], env)).stdout);
      return outputs;
    };
    const outputs = (await Promise.all([runs(), runs(), runs()])).flat();
    expect(outputs.filter((text) => text !== '' && text !== 'text of file\n')).toEqual([]);
    expect((await turner.ended).code).toBe(0);
    expect((await shop.run(['run', 'reader:go'], env)).stdout).toBe('text of file\n');
  });

  it('and may write to is used by one container at a time; others are not kept waiting', async () => {
    const shop = new Workshop();
    const env = { DOCKER_HOST: place.engine.host };
    const [ground, elsewhere] = [shop.place('log'), shop.place('log')];
    const command = (folder: string, seconds: number) =>
      `image = "${image}"\ncommand = ["sh", "-c", "cd ${folder}; echo begin >> log; sleep ${seconds}; echo end >> log"]\n`;
    skillOf(shop, 'one', `write:${ground}`, command(ground, 2));
    skillOf(shop, 'two', `write:${ground}`, command(ground, 2));
    skillOf(shop, 'three', `write:${elsewhere}`, command(elsewhere, 0));
    for (const name of ['one', 'two', 'three']) await shop.grant(name, env);
    const ends: string[] = [];
    const run = async (name: string) => {
      const { code, stderr } = await shop.run(['run', `${name}:go`], env);
      ends.push(name);
      expect([code, stderr]).toEqual([0, '']);
    };
    await Promise.all(['one', 'two', 'three'].map(run));
    expect(readFileSync(join(ground, 'log'), 'utf8').split('\n').slice(1)).toEqual([
      'begin',
      'end',
      'begin',
      'end',
      '',
    ]);
    expect(ends.indexOf('three')).toBeLessThan(2);
  });

  it('is given to it in its turn, though other runs write there without a break', async () => {
    const shop = new Workshop();
    const env = { DOCKER_HOST: place.engine.host };
    const ground = shop.place('inner/file');
    skillOf(shop, 'writer', `write:${ground}`, `command = ["/bin/sleep", "2"]\n`);
    const cat = `command = ["cat", "${ground}/inner/file"]\n`;
    skillOf(shop, 'reader', `read:${ground}/inner`, `image = "${image}"\n${cat}`);
    for (const name of ['writer', 'reader']) await shop.grant(name, env);
    let [isRead, writers] = [false, 0];
    const write = async (delayMs: number) => {
      await pause(delayMs);
      for (let turn = 0; turn < 10 && !isRead; turn++) {
        writers++;
        expect((await shop.run(['run', 'writer:go'], env)).code).toBe(0);
      }
    };
    const read = async () => {
      await pause(1500);
      const { stdout } = await shop.run(['run', 'reader:go'], env);
      isRead = true;
      return stdout;
    };
    const [text] = await Promise.all([read(), write(0), write(1000)]);
    expect(text).toBe('text of file\n');
    expect(writers).toBeLessThan(10);
  });
});

describe('a folder that a container is given', () => {
  /** A container of a process that died, which the engine does not remove, and what the engine tells of it. */
  async function engineWithOrphan(told: object | undefined) {
    const [, started, ...where] = thisProcess().split('.');
    const { pid } = spawnSync('true');
    const orphan = { Id: 'stuck', Labels: { [labels.owner]: [pid, started, ...where].join('.') } };
    const engine = await engineThatRuns([{ ...orphan, told }]);
    const runtime = createDockerRuntime(hostEnvironment({ env: { DOCKER_HOST: engine.host } }));
    onTestFinished(() => runtime.close());
    return { engine, runtime };
  }
  const named = { Name: '/repertoire-tool-1', State: { Status: 'running' } };
  const writing = (Source: string) => ({ ...named, Mounts: [{ Type: 'bind', Source, RW: true }] });

  it.each([
    ['it may write to the folder around it', (around: string) => writing(around), 'repertoire-tool-1'],
    ['the engine does not tell where it may write', () => named, 'repertoire-tool-1'],
    ['the engine tells nothing of it', () => undefined, 'stuck'],
  ])('is not mounted while a container of a process that died may still change it: %s', async (_, told, name) => {
    const around = folderWith();
    const source = join(around, 'inner');
    mkdirSync(source);
    chmodSync(source, 0o755);
    const { engine, runtime } = await engineWithOrphan(told(around));
    const mounts = [{ source, target: '/data', access: 'read' }] as const;
    for (const time of ['at first', 'again']) {
      const tries = () => engine.requests.filter((request) => request === 'DELETE /containers/stuck').length;
      const before = tries();
      const run = await runIn(runtime, specOf(['/bin/true'], { mounts }));
      expect([run.reason, run.message], time).toEqual([
        'engine_error',
        expect.stringContaining(`remove it with \`docker --host ${engine.host} rm --force ${name}\``),
      ]);
      expect(run.message).toContain(`the container ${name}, whose run is over, may still change `);
      expect(tries() - before, time).toBeGreaterThan(1);
    }
    expect(engine.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  it.each([
    ['it may write elsewhere', writing('/srv/elsewhere')],
    ['it may only read', { ...named, Mounts: [{ Type: 'bind', Source: '/', RW: false }] }],
    ['it has ended', { ...writing('/'), State: { Status: 'exited' } }],
  ])('is mounted where a container that is left cannot change it: %s', async (_, told) => {
    const { engine, runtime } = await engineWithOrphan(told);
    const mounts = [{ source: folderWith(), target: '/data', access: 'read' }] as const;
    const ending = new AbortController();
    const run = runIn(runtime, specOf(['/bin/true'], { mounts }), { signal: ending.signal });
    await expect.poll(() => engine.requests).toContain('POST /containers/abc/start');
    ending.abort();
    expect((await run).reason).toBe('cancelled');
    expect(engine.requests, 'it is tried all the same').toContain('DELETE /containers/stuck');
  });

  it('is not mounted where a link has taken its place', async () => {
    const engine = await engineThatRuns();
    const runtime = createDockerRuntime(hostEnvironment({ env: { DOCKER_HOST: engine.host } }));
    const source = folderWith();
    const guard = join(source, 'app');
    mkdirSync(guard);
    spawnSync('sh', ['-c', 'mv "$1" "$1.moved"; ln -s /etc "$1"', 'sh', guard]);
    const mounts = [{ source, target: '/data', access: 'read' }] as const;
    const guards = [{ source: guard, target: '/data/app', access: 'write' }] as const;
    const run = await runIn(runtime, specOf(['/bin/true'], { mounts, guards }));
    expect([run.reason, run.message]).toEqual(['engine_error', expect.stringContaining(`${guard} was replaced`)]);
    expect(engine.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
    await runtime.close();
  });
});
