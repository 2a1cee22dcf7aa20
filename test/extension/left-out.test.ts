import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import type { Entry, Resource } from './library.ts';

const skills = 'home/.claude/skills';
const mebibyte = 1024 * 1024;

async function served(server: StdioServer): Promise<string[]> {
  const { skills: entries } = await server.request<{ skills: Entry[] }>('skills/list');
  const { resources } = await server.request<{ resources: Resource[] }>('resources/list');
  expect(resources.map(({ uri }) => uri)).toEqual(entries.map(({ uri }) => uri));
  return entries.map(({ uri }) => uri.split('/').at(-2) ?? '');
}

/** What a server does with a skill that the extension cannot carry: everything but carry it. */
async function expectLeftOut(world: World, server: StdioServer, name: string, reason: RegExp): Promise<void> {
  expect(await served(server)).not.toContain(name);
  const uri = `skill://claude/${encodeURIComponent(name)}/SKILL.md`;
  for (const [method, address] of [
    ['skills/get', uri],
    ['resources/read', uri],
    ['resources/directory/read', uri.replace('/SKILL.md', '')],
  ] as const) {
    const { error } = await server.ask(method, { uri: address });
    expect(error, method).toMatchObject({ code: -32602, message: expect.stringMatching(reason) });
  }
  expect(await server.load(name)).toContain(`Loading: ${name}\n`);
  await server.logged(
    new RegExp(`Left out of the skills extension: .*${reason.source}.*skill=\\S*${name.slice(0, 3)}`),
  );
  const doctor = (await world.run(['doctor', '--json'])).json<{ diagnostics: { code: string; file: string }[] }>();
  const told = doctor.diagnostics.filter(({ code }) => code === 'extension-excluded');
  expect(told.map(({ file }) => file)).toContain(world.path(`${skills}/${name}/SKILL.md`));
}

function worldWith(...names: readonly string[]): World {
  const world = createWorld();
  for (const name of ['fine', ...names]) world.skill(`${skills}/${name}`);
  return world;
}

describe('what the skills extension cannot carry', () => {
  const badNames = ['Upper', 'under_score', '-lead', 'trail-', 'dou--ble', 'größe', 'x'.repeat(65), 'a.b'];
  it('a skill whose name breaks its rules is left out with a diagnostic, and loads all the same [C2-EXT-17 C2-EXT-20 C2-EXT-21]', async () => {
    const world = worldWith(...badNames);
    const server = await connectStdio(world);
    expect(await served(server)).toEqual(['fine']);
    for (const name of ['Upper', 'under_score', 'größe']) {
      await expectLeftOut(world, server, name, /its name is not 1 to 64 lower-case letters, digits and single hyphens/);
    }
    // No name is published that begins like an option.
    for (const name of badNames.map((one) => one.replace(/^-/, ''))) {
      expect(await server.load(name)).toContain(`Loading: ${name}\n`);
    }
  });

  it('a skill of more than 512 files is left out, and one of 512 is not [C2-EXT-18 C2-EXT-20 C2-EXT-21]', async () => {
    const world = worldWith('full', 'overfull');
    for (let index = 0; index < 512; index++) world.write(`${skills}/overfull/a/${index}.txt`, 'x');
    for (let index = 0; index < 511; index++) world.write(`${skills}/full/a/${index}.txt`, 'x');
    const server = await connectStdio(world);
    const { skills: entries } = await server.request<{ skills: Entry[] }>('skills/list');
    expect(entries.map(({ uri, resources }) => [uri, resources.length])).toEqual([
      ['skill://claude/fine/SKILL.md', 1],
      ['skill://claude/full/SKILL.md', 512],
    ]);
    await expectLeftOut(world, server, 'overfull', /it has more than 512 files/);
  });

  it('a skill of more than 16 MiB is left out, and one of exactly that is not [C2-EXT-19 C2-EXT-20 C2-EXT-21]', async () => {
    const world = worldWith('full', 'overfull');
    const main = '---\nname: full\ndescription: What full does.\n---\n\n# Text\n';
    world.write(`${skills}/full/SKILL.md`, main);
    world.write(`${skills}/full/half.bin`, Buffer.alloc(8 * mebibyte));
    world.write(`${skills}/full/rest.bin`, Buffer.alloc(8 * mebibyte - main.length));
    world.write(`${skills}/overfull/half.bin`, Buffer.alloc(8 * mebibyte));
    world.write(`${skills}/overfull/rest.bin`, Buffer.alloc(8 * mebibyte));
    const server = await connectStdio(world);
    expect(await served(server)).toEqual(['fine', 'full']);
    const { skill } = await server.request<{ skill: Entry }>('skills/get', { uri: 'skill://claude/full/SKILL.md' });
    expect(skill.resources.reduce((sum, { size }) => sum + size, 0)).toBe(16 * mebibyte);
    await expectLeftOut(world, server, 'overfull', /larger than 16 MiB/);
  });

  it('a skill whose front matter a host would read otherwise is left out, and loads all the same [C2-EXT-20 C2-EXT-21]', async () => {
    const world = worldWith();
    world.write(`${skills}/loose/SKILL.md`, '---\nname: loose\ndescription: Use when: asked.\n---\nText\n');
    world.skill(`${skills}/long`, { description: 'x'.repeat(1025) });
    world.skill(`${skills}/numbers`, { extra: 'metadata:\n  version: 1.0' });
    const server = await connectStdio(world);
    expect(await served(server)).toEqual(['fine']);
    await expectLeftOut(world, server, 'loose', /its front matter is not strict YAML/);
    await expectLeftOut(world, server, 'long', /its description is not a string of at most 1,024 characters/);
    await expectLeftOut(world, server, 'numbers', /its metadata has values that are not strings/);
  });

  it('a plugin called like a skill is not taken for its folder', async () => {
    const world = createWorld();
    world.skill(`${skills}/example`);
    world.skill('home/.claude/plugins/cache/example@market/skills/pdf');
    world.writeJson('home/.claude/plugins/installed_plugins.json', {
      version: 2,
      plugins: {
        'example@market': [
          { scope: 'user', installPath: world.path('home/.claude/plugins/cache/example@market'), version: '1.0.0' },
        ],
      },
    });
    const server = await connectStdio(world);
    const { skills: entries } = await server.request<{ skills: Entry[] }>('skills/list');
    expect(entries.map(({ uri }) => uri)).toEqual([
      'skill://claude/example%40market/pdf/SKILL.md',
      'skill://claude/example/SKILL.md',
    ]);
    for (const { uri } of entries) expect(await server.request('skills/get', { uri })).toHaveProperty('skill.uri', uri);
    expect(await server.load('example:pdf')).toContain('Loading: example:pdf\n');
  });

  it('each is told of once, however often clients ask', async () => {
    const server = await connectStdio(worldWith('Upper'));
    for (let times = 0; times < 3; times++) expect(await served(server)).toEqual(['fine']);
    await server.logged(/Left out/);
    expect(server.stderr.match(/Left out/g)).toHaveLength(1);
  });

  it('what has been put in order is carried from then on', async () => {
    const world = worldWith('Upper');
    const server = await connectStdio(world);
    expect(await served(server)).toEqual(['fine']);
    world.skill(`${skills}/Upper`, { name: 'lower' });
    await expect.poll(() => served(server)).toEqual(['fine', 'lower']);
  });
});
