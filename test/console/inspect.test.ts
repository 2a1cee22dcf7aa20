import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/core/hash.ts';
import type { InspectOutput } from '../../src/engine/operations/skills/inspect.ts';
import { createWorld, type World } from '../support/world.ts';
import { browsed, engineOn, inspected } from './engine.ts';

const claude = 'home/.claude/skills';
const lab = `${claude}/lab`;

/** A skill with two tools: both may see a variable, one may talk to a host as well. */
const manifest = `
[capabilities]
env = ["REGION"]
network = ["api.example.com"]
filesystem = ["write:/tmp"]

[tools.fetch]
command = ["cat", "{path}"]
[tools.fetch.parameters]
path = "string"

[tools.print]
command = ["echo"]
[tools.print.capabilities]
env = ["REGION"]
`;

function laboratory(): World {
  const world = createWorld();
  world.skill(lab, { body: '\n# Lab\n\nSee [notes](references/notes.md).\n' });
  world.write(`${lab}/skill.toml`, manifest);
  world.write(`${lab}/references/notes.md`, '# Notes\n');
  world.write(`${lab}/logo`, Buffer.from([0, 1, 2]));
  return world;
}

const itemsOf = ({ permissions }: InspectOutput) =>
  Object.fromEntries(permissions.items.map(({ key, free, granted, tools }) => [key, { free, granted, tools }]));

describe('inspecting a skill', () => {
  it('tells its text, its files and its tools', async () => {
    const world = laboratory();
    const found = await inspected(engineOn(world), 'lab');
    expect(found).toMatchObject({ name: 'lab', truncated: false, others: [], refused: [], diagnostics: [] });
    expect(found.skill).toMatchObject({ fullName: 'lab', provider: 'claude', shadowed: false });
    expect(found.body).toBe('\n# Lab\n\nSee [notes](references/notes.md).\n');
    expect(found.files).toEqual([
      { path: 'SKILL.md', bytes: expect.any(Number), digest: found.skill.digest, mimeType: 'text/markdown' },
      {
        path: 'logo',
        bytes: 3,
        digest: `sha256:${sha256(Buffer.from([0, 1, 2]))}`,
        mimeType: 'application/octet-stream',
      },
      { path: 'references/notes.md', bytes: 8, digest: `sha256:${sha256('# Notes\n')}`, mimeType: 'text/markdown' },
      {
        path: 'skill.toml',
        bytes: manifest.length,
        digest: `sha256:${sha256(manifest)}`,
        mimeType: 'application/toml',
      },
    ]);
    expect(found.tools).toMatchObject({ runtime: 'native', source: 'skill.toml' });
    expect(found.tools.tools.map(({ name }) => name)).toEqual(['fetch', 'print']);
    expect(found.agents.find(({ id }) => id === 'claude-code')).toMatchObject({ sees: 'yes' });
    expect(found.agents.find(({ id }) => id === 'codex')).toMatchObject({ sees: 'no' });
  });

  it('is what browsing says of it, for each row', async () => {
    const world = laboratory();
    world.skill('home/.agents/skills/lab');
    world.skill('project/.claude/skills/lab');
    world.skill('home/.codex/skills/twin');
    world.skill(`${claude}/twin`);
    const engine = engineOn(world);
    const { rows } = await browsed(engine);
    expect(rows).toHaveLength(5);
    for (const { name, fullName, file, runtime, tools, states } of rows) {
      const found = await inspected(engine, name, file);
      expect(found).toMatchObject({ name, skill: { fullName, file, shadowed: states.includes('shadowed') } });
      expect([found.tools.runtime, found.tools.tools.length]).toEqual([runtime, tools]);
    }
  });

  it('answers as every other lookup where there is no such skill', async () => {
    const engine = engineOn(laboratory());
    await expect(inspected(engine, 'lap')).rejects.toMatchObject({ code: 'not-found', suggestions: ['lab'] });
    await expect(inspected(engine, '../lab')).rejects.toMatchObject({ code: 'invalid-name' });
    await expect(inspected(engine, 'lab', '/etc/passwd')).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('the other skills of a name', () => {
  it('are told with who hides whom, and why', async () => {
    const world = createWorld();
    const [shared, own] = ['home/.agents/skills/pdf', `${claude}/pdf`];
    for (const folder of [shared, own]) world.skill(folder);
    const engine = engineOn(world);
    const reason = "the shared agents folders come before an agent's own";
    expect((await inspected(engine, 'pdf')).others).toEqual([
      expect.objectContaining({ file: world.path(`${own}/SKILL.md`), reason: `this one hides it: ${reason}` }),
    ]);
    const hidden = await inspected(engine, 'claude:pdf');
    expect(hidden.skill.shadowed).toBe(true);
    expect(hidden.others).toEqual([
      expect.objectContaining({ file: world.path(`${shared}/SKILL.md`), reason: `it hides this one: ${reason}` }),
    ]);
    expect(hidden.diagnostics.map(({ code }) => code)).toEqual(['shadowed']);
  });

  it('are told with how to ask for them where nothing puts one first', async () => {
    const world = createWorld();
    world.skill('home/.codex/skills/twin');
    world.skill(`${claude}/twin`);
    const { others, diagnostics } = await inspected(engineOn(world), 'codex:twin');
    expect(others.map(({ provider, reason }) => [provider, reason])).toEqual([['claude', 'ask for claude:twin']]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['ambiguous']);
  });

  it('do not keep one from being seen that no name leads to', async () => {
    const world = createWorld();
    world.skill('project/.claude/skills/pdf');
    world.skill(`${claude}/pdf`);
    const engine = engineOn(world);
    const file = world.path(`${claude}/pdf/SKILL.md`);
    expect((await inspected(engine, 'claude:pdf')).skill.file).not.toBe(file);
    expect((await inspected(engine, 'claude:pdf', file)).skill.file).toBe(file);
  });
});

describe('the permissions of a skill', () => {
  it('are told one by one, with who asks for them and what is granted', async () => {
    const world = laboratory();
    const engine = engineOn(world);
    const before = await inspected(engine, 'lab');
    expect(before.permissions).toMatchObject({ grant: null, impossible: null });
    expect(itemsOf(before)).toMatchObject({
      'env:REGION': { free: false, granted: false, tools: [] },
      'network:api.example.com': { free: false, granted: false, tools: ['fetch'] },
      'filesystem:write:/tmp': { free: true, granted: false, tools: ['fetch'] },
    });
    expect((await world.run(['grant', 'lab', '--yes'])).code).toBe(0);
    const after = await inspected(engine, 'lab');
    expect(after.permissions.grant).toMatchObject({ digest: after.digest, valid: true, changes: [] });
    expect(after.permissions.items.filter(({ free }) => !free).every(({ granted }) => granted)).toBe(true);
  });

  it('end with a change of its files, which is told', async () => {
    const world = laboratory();
    const engine = engineOn(world);
    await world.run(['grant', 'lab', '--yes']);
    world.write(`${lab}/references/notes.md`, '# Other notes\n');
    world.write(`${lab}/new.txt`, 'new');
    const { permissions, digest } = await inspected(engine, 'lab');
    expect(permissions.grant).toMatchObject({
      valid: false,
      changes: ['references/notes.md has changed', 'new.txt is new'],
    });
    expect(permissions.grant?.digest).not.toBe(digest);
    expect(permissions.items.some(({ granted }) => granted)).toBe(false);
  });

  it('cannot be had where nobody may have them, which is told', async () => {
    const world = laboratory();
    world.write(`${lab}/skill.toml`, '[capabilities]\nfilesystem = ["read:/"]\n[tools.a]\ncommand = ["echo"]\n');
    const { permissions } = await inspected(engineOn(world), 'lab');
    expect(permissions.impossible).toMatch(/^skill 'lab' asks for permissions that cannot be granted: /);
  });

  it('depend on the policy: on the programs that are free, and the runtimes there may be', async () => {
    const world = laboratory();
    world.write(`${lab}/skill.toml`, '[tools.a]\ncommand = ["git", "log"]\n[tools.b]\ncommand = ["terraform"]\n');
    const policy = 'home/.config/repertoire/policy.toml';
    const engine = engineOn(world);
    expect(itemsOf(await inspected(engine, 'lab'))).toMatchObject({
      'commands:terraform': { free: false, tools: ['b'] },
    });
    world.write(policy, '[allow]\nruntimes = ["wasm"]\n');
    expect((await inspected(engine, 'lab')).permissions.impossible).toContain(
      'does not let any skill use the runtime native',
    );
    world.write(policy, '[allow\n');
    const { permissions, tools } = await inspected(engine, 'lab');
    expect(permissions.impossible).toContain('policy.toml');
    expect(permissions.items.every(({ free }) => !free)).toBe(true);
    expect(tools.tools).toHaveLength(2);
  });
});

describe('a skill that is in a bad state', () => {
  it('is told without tools where its manifest is broken, and why', async () => {
    const world = laboratory();
    world.write(`${lab}/skill.toml`, '[tools.a\n');
    const { tools, diagnostics, body, files } = await inspected(engineOn(world), 'lab');
    expect(tools.tools).toEqual([]);
    expect(diagnostics).toEqual([
      expect.objectContaining({ code: 'manifest-invalid', file: world.path(`${lab}/skill.toml`), line: 1 }),
    ]);
    expect([body.length > 0, files.length]).toEqual([true, 4]);
  });

  it('is told without a digest where one of its files cannot be known, and cannot be granted anything', async () => {
    const world = laboratory();
    const unnamed = Buffer.concat([Buffer.from(`${world.path(lab)}/`), Buffer.from([0xff])]); // no text in any encoding
    writeFileSync(unnamed, 'x');
    const { digest, files, permissions } = await inspected(engineOn(world), 'lab');
    expect(digest).toBeNull();
    expect(permissions.impossible).toContain('its name is not valid UTF-8');
    expect(files.find(({ path }) => path === 'logo')?.digest).toBe(`sha256:${sha256(Buffer.from([0, 1, 2]))}`);
  });

  it('is told as it was found where it is gone by now', async () => {
    const world = laboratory();
    const engine = engineOn(world);
    await engine.registry.snapshot();
    await world.run(['grant', 'lab', '--yes']);
    rmSync(world.path(lab), { recursive: true });
    const found = await inspected(engine, 'lab');
    expect(found).toMatchObject({ name: 'lab', body: '', digest: null, tools: { tools: [] } });
    expect(found.files).toEqual([{ path: 'SKILL.md', bytes: 0, digest: null, mimeType: 'text/markdown' }]);
    expect(found.diagnostics).toContainEqual(expect.objectContaining({ code: 'file-unreadable' }));
    expect(found.permissions.grant).toMatchObject({ valid: false });
  });

  it('is never read past its own folder', async () => {
    const world = laboratory();
    world.write('home/secret.txt', 'secret');
    world.link('home/secret.txt', `${lab}/secret.txt`);
    world.link(world.path(`${lab}/references/notes.md`), `${lab}/inside.md`);
    const { files, refused } = await inspected(engineOn(world), 'lab');
    expect(refused).toEqual(['secret.txt']);
    expect(files.map(({ path }) => path)).not.toContain('secret.txt');
    const notes = files.find(({ path }) => path === 'references/notes.md');
    expect(files.find(({ path }) => path === 'inside.md')).toEqual({ ...notes, path: 'inside.md' });
  });

  it('is told with a text that is cut where it is very long', async () => {
    const world = createWorld();
    world.skill(lab, { body: `x${'é'.repeat(1024 * 1024)}` });
    const { body, truncated } = await inspected(engineOn(world), 'lab');
    expect(truncated).toBe(true);
    expect(body).toBe(`x${'é'.repeat(512 * 1024 - 1)}`);
  });

  it.each([
    ['never closed', '---\nname: lab\ndescription: It is.\n\n# Text\n', '\n# Text\n'],
    ['late', '<!-- x -->\n---\nname: lab\ndescription: It is.\n---\n# Text\n', '# Text\n'],
    ['after a byte order mark', '\ufeff---\nname: lab\ndescription: It is.\n---\n# Text\n', '# Text\n'],
  ])('is told without its front matter where that is %s', async (_how, text, expected) => {
    const world = createWorld();
    world.write(`${lab}/SKILL.md`, text);
    expect((await inspected(engineOn(world), 'lab')).body).toBe(expected);
  });

  it('is SKILL.md however that is written on disk', async () => {
    const world = createWorld();
    world.write(`${lab}/skill.md`, '---\nname: lab\ndescription: It is.\n---\n# Text\n');
    const { files, skill } = await inspected(engineOn(world), 'lab');
    expect(files).toMatchObject([{ path: 'SKILL.md', digest: skill.digest }]);
    expect(skill.file).toBe(world.path(`${lab}/skill.md`));
  });

  it('is told of with what was noticed about its own files, and not those of skills inside it', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/outer', { description: `"${'a'.repeat(1100)}"` });
    world.write('home/.claude/skills/outer/inner/SKILL.md', '---\nname: inner\ndescription: when: asked\n---\n');
    const { diagnostics } = await inspected(engineOn(world), 'outer');
    expect(diagnostics.map(({ code }) => code)).toEqual(['client-limit']);
  });
});
