import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { skillResourcesOn } from '../../../../test/support/skill-resources.ts';
import { createWorld, type World } from '../../../../test/support/world.ts';
import { SkillError } from '../../../core/errors.ts';
import { readSupportingFile } from '../../../engine/loading/supporting-file.ts';
import type { Skill } from '../../../skill/types.ts';

const room = 8000;

const skills = 'home/.claude/skills';
const secret = 'secret of somebody else';

/** Makes a skill with everything that could lead out of it. */
function treacherous(): World {
  const world = createWorld();
  world.write('home/secret.txt', secret);
  world.write(`${skills}/secret.txt`, secret);
  world.write('home/folder/secret.txt', secret);
  world.skill(`${skills}/pdf`, { body: 'own' });
  world.write(`${skills}/pdf/a/b.txt`, 'own');
  world.write(`${skills}/pdf/a/..b`, 'own');
  world.write(`${skills}/pdf/.git/secret.txt`, secret);
  world.write(`${skills}/pdf/node_modules/secret.txt`, secret);
  world.link('home/secret.txt', `${skills}/pdf/link.txt`);
  world.link('home/folder', `${skills}/pdf/out`);
  world.link(`${skills}`, `${skills}/pdf/up`);
  world.link(`${skills}/pdf/a`, `${skills}/pdf/round`);
  world.link(`${skills}/pdf/a/b.txt`, `${skills}/pdf/inside.txt`);
  world.link(`${skills}/pdf/self`, `${skills}/pdf/self`);
  return world;
}

const listed = ['SKILL.md', 'a/..b', 'a/b.txt', 'inside.txt'];

const segments = fc.constantFrom(
  ...['a', 'b.txt', '..b', '..', '.', '', 'out', 'up', 'round', 'link.txt', 'inside.txt', 'secret.txt', 'SKILL.md'],
  ...['skill.md', '.git', 'node_modules', 'self', 'pdf', '%2e%2e', '%2E.', '..%2f..', '%252e%252e', '..\\..', '%5c..'],
  ...['%00', '\0', '~', 'C:', '/etc/passwd', '?x', '#x', '%', '%zz', ' ', '..;', '．．', '‥', 'x'.repeat(300)],
);
const paths = fc.array(segments, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'));

/** The result of a call, or the code of its error; anything but our own kind of error fails the test. */
async function outcome(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return error.code;
  }
}

describe('reading a file of a skill', () => {
  it('reads what is listed, and never anything else, whatever is asked for', async () => {
    const world = treacherous();
    const { skillResources, engine } = skillResourcesOn(world);
    const [skill] = (await engine.registry.snapshot()).visible;
    if (skill === undefined) throw new Error('no skill');
    engine.registry.refresh = () => engine.registry.snapshot();
    const { resources } = await skillResources.getSkill('skill://claude/pdf/SKILL.md');
    expect(resources.map(({ uri }) => uri.slice('skill://claude/pdf/'.length))).toEqual(listed);
    for (const path of listed) {
      expect(await skillResources.read(`skill://claude/pdf/${path}`)).toMatchObject({
        contents: [{ text: expect.stringContaining('own') }],
      });
      expect(readSupportingFile(skill, path, 0, room)).toMatchObject({ content: expect.stringContaining('own') });
    }
    await fc.assert(
      fc.asyncProperty(paths, async (path) => {
        const results = [
          await outcome(() => skillResources.read(`skill://claude/pdf/${path}`)),
          await outcome(() => skillResources.readDirectory(`skill://claude/pdf/${path}`, undefined)),
          await outcome(() => readSupportingFile(skill, path, 0, room)),
          await outcome(() =>
            readSupportingFile(skill, decodeURIComponent(path.replace(/%(?![\da-f]{2})/gi, '')), 0, room),
          ),
        ];
        expect(JSON.stringify(results)).not.toContain(secret);
        const isListed = listed.includes(path.replace(/^(?:\.\/)+|\/$/g, ''));
        if (!isListed) expect(results[2]).toEqual(expect.stringMatching(/^(not-found|usage)$/));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ...['', 'skill:', 'skill://', 'skill:///pdf/SKILL.md', 'skill://claude//pdf/SKILL.md', 'skill://claude/pdf/'],
    ...['skill://claude/pdf//SKILL.md', 'skill://claude/pdf/SKILL.md/', 'skill://claude/pdf/SKILL.md?x'],
    ...['skill://claude/pdf/SKILL.md#x', 'skill://claude/pdf/a/../SKILL.md', 'skill://claude/pdf/a/%2E%2e/SKILL.md'],
    ...['skill://claude/pdf/./SKILL.md', 'skill://claude/pdf\\SKILL.md', 'skill://claude/pdf/a%2Fb.txt'],
    ...[
      'skill://claude/pdf/a%5Cb.txt',
      'skill://claude/pdf/SKILL.md%00',
      'skill://claude/pdf/%',
      ' skill://claude/pdf',
    ],
    ...['skill://user@claude/pdf/SKILL.md', 'skill://claude:80/pdf/SKILL.md', 'file:///etc/passwd', '/etc/passwd'],
    ...['skill://claude/pdf\n/SKILL.md', `skill://claude/${'x'.repeat(100_000)}`, 'skill://codex/pdf/SKILL.md'],
  ])('refuses %j', async (uri) => {
    const world = createWorld();
    world.skill(`${skills}/pdf`);
    world.write(`${skills}/pdf/a/b.txt`, 'x');
    const { skillResources } = skillResourcesOn(world);
    const refused = { code: 'not-found', message: expect.stringMatching(/^.{10,400}$/s) };
    await expect(skillResources.read(uri)).rejects.toMatchObject(refused);
    await expect(skillResources.getSkill(uri)).rejects.toMatchObject(refused);
    await expect(skillResources.readDirectory(uri, undefined)).rejects.toMatchObject(refused);
  });

  it('knows every way to write one address', async () => {
    const world = createWorld();
    world.skill(`${skills}/pdf`);
    world.write(`${skills}/pdf/Q&A (ü).md`, 'x');
    const { skillResources } = skillResourcesOn(world);
    for (const name of ['Q&A%20(%C3%BC).md', 'Q%26A%20%28%c3%bc%29.md', 'Q&A%20(ü).md']) {
      const uri = `skill://claude/pdf/${name}`;
      expect(await skillResources.read(uri)).toEqual({ contents: [{ uri, mimeType: 'text/markdown', text: 'x' }] });
    }
    expect(await skillResources.read('SKILL://claude/pdf/SKILL.md')).toMatchObject({ contents: [{}] });
  });

  it('does not wait for a pipe', async () => {
    const world = createWorld();
    world.skill(`${skills}/pdf`);
    execFileSync('mkfifo', [world.path(`${skills}/pdf/pipe`)]);
    const { skillResources, engine } = skillResourcesOn(world);
    const { resources } = await skillResources.getSkill('skill://claude/pdf/SKILL.md');
    expect(resources).toHaveLength(1);
    await expect(skillResources.read('skill://claude/pdf/pipe')).rejects.toMatchObject({ code: 'not-found' });
    const [skill] = (await engine.registry.snapshot()).visible;
    expect(() => readSupportingFile(skill as Skill, 'pipe', 0, room)).toThrow(/has no file 'pipe'/);
  });

  it('says what to do with a folder, and what is wrong with a file', async () => {
    const world = createWorld();
    world.skill(`${skills}/pdf`);
    world.write(`${skills}/pdf/a/b.txt`, 'x');
    const { skillResources } = skillResourcesOn(world);
    for (const uri of ['skill://claude/pdf', 'skill://claude/pdf/a']) {
      await expect(skillResources.read(uri)).rejects.toMatchObject({
        hint: expect.stringContaining('resources/directory/read'),
      });
    }
    await expect(skillResources.read('skill://claude/pdf/c')).rejects.toThrow(
      "Skill 'pdf' has no file at skill://claude/pdf/c",
    );
  });
});
