import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { toolboxOf } from '../../src/run/tools/toolbox.ts';
import { createWorld } from '../support/world.ts';

const examples = fileURLToPath(new URL('../../skills', import.meta.url));
const cluster = join(examples, 'kubernetes/scripts/cluster.mjs');

/** Started by a plain Node, as a module that prints to its own output: the tests' own output must stay theirs. */
const readability = `
  const { WASI } = require('node:wasi');
  const wasi = new WASI({ version: 'preview1', args: ['readability', ...process.argv.slice(2)], returnOnExit: true });
  WebAssembly.instantiate(require('node:fs').readFileSync(process.argv[1]), wasi.getImportObject())
    .then(({ instance }) => { process.exitCode = wasi.start(instance); });`;

function score(text: string | Buffer, ...args: string[]) {
  const module = join(examples, 'readability/readability.wasm');
  const argv = ['--no-warnings', '-e', readability, module, 'score', '--format', 'json', ...args];
  return spawnSync(process.execPath, argv, { input: text, encoding: 'utf8' });
}

function look(args: readonly string[], input = '') {
  return spawnSync(process.execPath, [cluster, ...args], { input, encoding: 'utf8' });
}

describe('the example skills', () => {
  it('declare their tools without a fault, for each of the runtimes', async () => {
    const environment = { home: createWorld().path('home'), cwd: examples, env: {} };
    const runtimes: Record<string, string> = {};
    for (const name of readdirSync(examples)) {
      const id = join(examples, name);
      const skill = { id, name, file: join(id, 'SKILL.md') } as Parameters<typeof toolboxOf>[0];
      const toolbox = await toolboxOf(skill, environment as unknown as Parameters<typeof toolboxOf>[1]);
      expect(toolbox.problems, name).toEqual([]);
      expect(toolbox.tools.length, name).toBeGreaterThan(0);
      runtimes[name] = toolbox.runtime;
    }
    expect(runtimes).toMatchObject({ kubernetes: 'native', readability: 'wasm', 'shell-portability': 'docker' });
  });

  it('finds the causes in the sample cluster, and what follows from them', () => {
    const { stdout, status } = look(['triage', '--sample', '--format', 'json']);
    expect(status).toBe(0);
    const { findings } = JSON.parse(stdout) as {
      findings: { id: number; rule: string; object: string; because: number[] }[];
    };
    const crash = findings.find(({ rule }) => rule === 'crash-loop');
    expect(crash).toMatchObject({ object: 'Deployment shop/checkout', because: [] });
    const service = findings.find(({ object }) => object === 'Service shop/checkout');
    expect(service).toMatchObject({ rule: 'no-endpoints', because: [crash?.id] });
    const rules = ['out-of-memory', 'unschedulable', 'image-pull', 'not-ready', 'job-failed', 'claim-unbound'];
    expect(findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(rules));
  });

  it('never takes the sample for the snapshot that was given', () => {
    const pods = { kind: 'List', items: [{ kind: 'Pod', metadata: { name: 'mine', namespace: 'a' } }] };
    const given = look(['get', '--or-sample', '--resource=pods'], JSON.stringify(pods));
    const { items, source } = JSON.parse(given.stdout) as { items: { metadata: { name: string } }[]; source: string };
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['mine']);
    expect(source).toMatch(/given/);
    expect(look(['get', '--or-sample', '--resource=pods']).stdout).toMatch(/"source": "the sample cluster/);
    for (const wrong of [' ', 'NAME  READY', '{"items":', '[]']) {
      expect(look(['get', '--or-sample', '--resource=pods'], wrong), wrong).toMatchObject({ status: 2, stdout: '' });
    }
  });

  it('does not show what variables of containers are set to', () => {
    const { stdout } = look(['get', '--sample', '--resource=pods', '--view=full']);
    expect(stdout).toContain('PAYMENT_TOKEN');
    expect(stdout).not.toContain('sample-token');
  });

  it('scores a text, and is not harmed by one that is none', () => {
    const easy = JSON.parse(score('The cat sat on the mat. It was warm. The dog ran to the the door.').stdout);
    expect(easy).toMatchObject({ words: 16, sentences: 3, doubledWords: [{ word: 'the', line: 1 }] });
    expect(easy.readingEase).toBeGreaterThan(100);
    const hostile = Buffer.concat([
      Buffer.from([0, 255, 254, 192, 128]),
      Buffer.alloc(300_000, '`](<a&'),
      Buffer.alloc(9, 27),
    ]);
    expect(score(hostile).status).toBe(0);
    expect(score(hostile).stdout).not.toMatch(/[\u001b\0]/);
    expect(score('')).toMatchObject({ status: 2, stdout: '' });
  });

  it('has scripts for a container that any POSIX shell can parse', () => {
    for (const file of ['check.sh', 'run.sh', 'take-script.sh']) {
      execFileSync('sh', ['-n', join(examples, 'shell-portability/scripts', file)]);
    }
    expect(readFileSync(join(examples, 'shell-portability/skill.toml'), 'utf8')).toContain('images = [');
  });
});
