import { execFileSync } from 'node:child_process';
import { rmSync, unlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

const secret = 'TOP-SECRET-7391';
const folder = 'home/.claude/skills/pdf';

/** A skill with secrets all around it, and one file of its own. */
function besieged(): World {
  const world = createWorld();
  world.skill(folder);
  world.write(`${folder}/docs/own.txt`, 'own text');
  world.write('outside/secret.txt', secret);
  world.write('home/.claude/skills/pdf-secret/secret.txt', secret);
  world.write(`${folder}/.git/config`, secret);
  world.write(`${folder}/node_modules/pack/index.js`, secret);
  return world;
}

/** Asks for a file and expects to get nothing of it: an error, of either kind, in which no secret stands. */
async function expectRefused(server: StdioServer, file: string): Promise<void> {
  const answer = await server.ask('tools/call', { name: 'skill', arguments: { name: 'pdf', file } });
  expect(JSON.stringify(answer), file).not.toContain(secret);
  if (answer.error === undefined) expect(answer.result?.['isError'], file).toBe(true);
  else expect(answer.error.code, file).toBe(-32602);
}

const paths = [
  '..',
  '.',
  './',
  '/',
  '../pdf-secret/secret.txt',
  './../pdf-secret/secret.txt',
  'docs/../../pdf-secret/secret.txt',
  'docs/../docs/own.txt',
  'docs/./own.txt',
  'docs//own.txt',
  '..\\pdf-secret\\secret.txt',
  'docs\\own.txt',
  '%2e%2e/pdf-secret/secret.txt',
  '..%2fpdf-secret%2fsecret.txt',
  '．．/pdf-secret/secret.txt',
  '..\u2215pdf-secret\u2215secret.txt',
  '../pdf-secret/secret.txt\0.md',
  'docs/own.txt\0',
  '~/.claude/skills/pdf-secret/secret.txt',
  '$HOME/.claude/skills/pdf-secret/secret.txt',
  '/etc/passwd',
  '//etc/passwd',
  '/proc/self/environ',
  'C:/Windows/win.ini',
  'file:///etc/passwd',
  'skill://pdf-secret/secret.txt',
  '.git/config',
  'node_modules/pack/index.js',
];

describe('a file that does not belong to the skill', () => {
  it('is not reached by any way of writing a path', async () => {
    const world = besieged();
    const server = await connectStdio(world);
    const absolute = [world.path('outside/secret.txt'), world.path(`${folder}/docs/own.txt`)];
    for (const path of [...paths, ...absolute]) await expectRefused(server, path);
    const { content } = await server.call('skill', { name: 'pdf', file: 'docs/own.txt' });
    expect(content[0]?.text).toMatch(/\n\nown text$/);
  });

  it('is not reached through links, nor are files that never end', async () => {
    const world = besieged();
    world.link('outside/secret.txt', `${folder}/file-link.txt`);
    world.link('outside', `${folder}/folder-link`);
    world.link('home/.claude/skills/pdf-secret/secret.txt', `${folder}/neighbour.txt`);
    world.link(`${folder}/docs`, `${folder}/alias`);
    world.link(`${folder}/loop`, `${folder}/loop`);
    world.link('/dev/zero', `${folder}/zero`);
    world.link('/proc/self/environ', `${folder}/environ.txt`);
    world.link('outside/nothing', `${folder}/dangling.txt`);
    execFileSync('mkfifo', [world.path(`${folder}/pipe.txt`)]);
    const server = await connectStdio(world);
    const [header] = (await server.load('pdf')).split('\n\n');
    expect(header).toMatch(/\nFiles: docs\/own\.txt$/);
    for (const path of [
      'file-link.txt',
      'folder-link',
      'folder-link/secret.txt',
      'neighbour.txt',
      'alias/own.txt',
      'loop',
      'loop/x',
      'zero',
      'environ.txt',
      'dangling.txt',
      'pipe.txt',
    ]) {
      await expectRefused(server, path);
    }
  });

  it('is not reached through a link that was put in its place after the scan', async () => {
    const world = besieged();
    world.write(`${folder}/later/secret.txt`, 'harmless');
    const server = await connectStdio(world, ['mcp', '--no-refresh']);
    expect(await server.load('pdf')).toMatch(/^Loading: pdf\n/);
    unlinkSync(world.path(`${folder}/docs/own.txt`));
    world.link('outside/secret.txt', `${folder}/docs/own.txt`);
    rmSync(world.path(`${folder}/later`), { recursive: true });
    world.link('outside', `${folder}/later`);
    for (const path of ['docs/own.txt', 'later/secret.txt']) await expectRefused(server, path);
    unlinkSync(world.path(`${folder}/SKILL.md`));
    world.link('outside/secret.txt', `${folder}/SKILL.md`);
    for (const args of [{ name: 'pdf' }, { name: 'pdf', file: 'SKILL.md' }]) {
      const { content, isError } = await server.call('skill', args);
      expect(isError).toBe(true);
      expect(content[0]?.text).not.toContain(secret);
    }
  });

  it('may lie anywhere when the whole skill is a link: its real folder counts', async () => {
    const world = createWorld();
    world.skill('store/pdf');
    world.write('store/pdf/docs/own.txt', 'own text');
    world.write('store/secret.txt', secret);
    world.link('store/pdf', folder);
    world.link('store/secret.txt', 'store/pdf/out.txt');
    world.link('store/pdf/docs/own.txt', 'store/pdf/in.txt');
    const server = await connectStdio(world);
    for (const file of ['docs/own.txt', 'in.txt']) {
      expect((await server.call('skill', { name: 'pdf', file })).content[0]?.text).toMatch(/\n\nown text$/);
    }
    for (const path of ['out.txt', '../secret.txt']) await expectRefused(server, path);
  });
});
