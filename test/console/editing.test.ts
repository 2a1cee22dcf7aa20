import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DraftOutput, EditOutput } from '../../src/engine/operations/skills/draft.ts';
import type { InspectOutput } from '../../src/engine/operations/skills/inspect.ts';
import { installKit } from '../find/plugin-world.ts';
import { type ServedConsole, serveConsole } from '../support/console.ts';
import { createWorld, type World } from '../support/world.ts';
import { claude } from './skills-for-people.ts';
import { eventually } from './visit.ts';

interface Asked {
  readonly name?: string;
  readonly file?: string;
  readonly path?: string;
  readonly content?: string;
  readonly digest?: string;
  readonly installed?: boolean;
}

async function draftOf(served: ServedConsole, asked: Asked): Promise<DraftOutput> {
  const { content, ...place } = { name: 'mine', ...asked };
  const answer =
    content === undefined
      ? await served.ask(
          `/api/draft?${new URLSearchParams(Object.entries(place).map(([key, value]): [string, string] => [key, String(value)])).toString()}`,
        )
      : await served.post('/api/check', { ...place, content });
  expect(answer.status).toBe(200);
  return (await answer.json()) as DraftOutput;
}

async function edited(served: ServedConsole, asked: Asked) {
  const answer = await served.post('/api/edit', { name: 'mine', path: 'SKILL.md', ...asked });
  const body = (await answer.json()) as EditOutput & { error?: { code: string; message: string } };
  return { status: answer.status, ...body };
}

function ownSkill(): World {
  const world = createWorld();
  world.skill(`${claude}/mine`, { description: 'Does a thing.', body: '\n# Mine\n' });
  world.write(`${claude}/mine/scripts/go.sh`, 'echo go\n');
  chmodSync(world.path(`${claude}/mine/scripts/go.sh`), 0o755);
  return world;
}

function textAt(world: World, path: string): string {
  return readFileSync(world.path(path), 'utf8');
}

describe('a draft', () => {
  it('is checked line by line, and nothing is written', async () => {
    const world = ownSkill();
    const served = await serveConsole(world);
    const before = textAt(world, `${claude}/mine/SKILL.md`);
    const clean = await draftOf(served, {});
    expect(clean).toMatchObject({ path: 'SKILL.md', content: before, findings: [], fix: null, obstacle: null });
    const content = '---\nname: other\ndescription: Use when: asked\n---\n';
    const { findings, fix, digest } = await draftOf(served, { content });
    expect(findings.map(({ code, line }) => [code, line])).toContainEqual([expect.any(String), 3]);
    expect(fix?.content).toContain('"Use when: asked"');
    expect(fix?.changes).toEqual([expect.stringMatching(/^line 3: /)]);
    expect(digest).toBe(clean.digest);
    expect(textAt(world, `${claude}/mine/SKILL.md`)).toBe(before);
  });

  it.each([
    ['one that is no TOML', '[tools\n', 1],
    ['one with an unknown key', '[tools.a]\ncommand = ["echo"]\nspeed = 3\n', 3],
    ['one whose script is missing', '[tools.a]\nscript = "scripts/none.sh"\n', 1],
  ])('of a manifest is checked as the manifest would be: %s', async (_what, content, line) => {
    const served = await serveConsole(ownSkill());
    const { findings, content: current, digest } = await draftOf(served, { path: 'skill.toml', content });
    expect(findings.map((one) => one.line)).toContain(line);
    expect([current, digest]).toEqual([null, null]);
  });

  it('tells of characters that nobody sees, in any file', async () => {
    const served = await serveConsole(ownSkill());
    const { findings } = await draftOf(served, { path: 'scripts/go.sh', content: 'echo go\u202e\u200b\n' });
    expect(findings).toMatchObject([{ code: 'text-hidden', line: 1 }]);
  });

  it('is shown with its findings where the console is for reading, and nothing is checked or written there', async () => {
    const world = ownSkill();
    const served = await serveConsole(world, { command: ['serve', '--http', '--console', 'read'] });
    expect(await draftOf(served, {})).toMatchObject({ path: 'SKILL.md' });
    for (const path of ['check', 'edit', 'new', 'disable', 'enable']) {
      const answer = await served.post(`/api/${path}`, { name: 'mine', path: 'SKILL.md', content: 'x' });
      expect([path, answer.status]).toEqual([path, 403]);
    }
  });
});

describe('a change of a file', () => {
  it('is written in one step, keeps what else there is to a file, and stands among the activity', async () => {
    const world = ownSkill();
    const served = await serveConsole(world);
    const { digest } = await draftOf(served, { path: 'scripts/go.sh' });
    const change = await edited(served, { path: 'scripts/go.sh', content: 'echo went\n', digest: digest ?? '' });
    expect(change).toMatchObject({ status: 200, path: 'scripts/go.sh' });
    expect(textAt(world, `${claude}/mine/scripts/go.sh`)).toBe('echo went\n');
    expect(statSync(world.path(`${claude}/mine/scripts/go.sh`)).mode & 0o777).toBe(0o755);
    const again = await edited(served, { path: 'scripts/go.sh', content: 'echo twice\n', digest: change.digest });
    expect(again.status).toBe(200);
    await eventually(async () => {
      const { rows } = await served.told<{ rows: { what: string; skill: string; detail: string }[] }>('/api/activity');
      return rows.filter(({ what }) => what === 'edited').map(({ skill, detail }) => `${skill} ${detail}`);
    }).toEqual(['mine scripts/go.sh', 'mine scripts/go.sh']);
  });

  it('is refused where somebody else has changed the file meanwhile, which stays as it is', async () => {
    const world = ownSkill();
    const served = await serveConsole(world);
    const { digest } = await draftOf(served, {});
    world.write(`${claude}/mine/SKILL.md`, '---\nname: mine\ndescription: Theirs.\n---\n');
    const refused = await edited(served, { content: 'mine', digest: digest ?? '' });
    expect(refused).toMatchObject({ status: 409, error: { code: 'conflict' } });
    expect(textAt(world, `${claude}/mine/SKILL.md`)).toContain('Theirs.');
    // A new file is one that is not there.
    expect(await edited(served, { content: 'mine' })).toMatchObject({ status: 409 });
    expect(await edited(served, { path: 'skill.toml', content: '', digest: digest ?? '' })).toMatchObject({
      status: 409,
    });
  });

  it('can be a new file in a folder that is there', async () => {
    const world = ownSkill();
    const served = await serveConsole(world);
    expect(await edited(served, { path: 'skill.toml', content: '[skill]\n' })).toMatchObject({ status: 200 });
    expect(textAt(world, `${claude}/mine/skill.toml`)).toBe('[skill]\n');
    for (const path of [
      'deep/er/a.md',
      '../a.md',
      '/tmp/a.md',
      'scripts/../../a.md',
      '.git/a',
      '',
      'a\0b',
      '.hidden',
      'scripts/',
    ]) {
      const { status } = await edited(served, { path, content: 'x' });
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
    }
  });

  it('never leaves the skill, whatever lies there', async () => {
    const world = ownSkill();
    world.write('home/secret.md', 'secret\n');
    world.link('home/secret.md', `${claude}/mine/out.md`);
    world.link('home', `${claude}/mine/away`);
    world.link(`${claude}/mine/scripts/go.sh`, `${claude}/mine/inner.sh`);
    world.write(`${claude}/mine/data.bin`, Buffer.from([0, 1, 255]));
    const served = await serveConsole(world);
    for (const path of ['out.md', 'away/secret.md', 'away/new.md', 'inner.sh', 'data.bin']) {
      const { status } = await edited(served, { path, content: 'x', digest: 'sha256:0' });
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
      const fresh = await edited(served, { path, content: 'x' });
      expect([path, fresh.status >= 400 && fresh.status < 500]).toEqual([path, true]);
    }
    expect(textAt(world, 'home/secret.md')).toBe('secret\n');
    expect(textAt(world, `${claude}/mine/scripts/go.sh`)).toBe('echo go\n');
  });

  it('of what was installed needs a word that this is known', async () => {
    const world = createWorld();
    world.skill('source/kept');
    await world.run(['add', world.path('source/kept'), '--global', '--yes', '--agent', 'claude']);
    const served = await serveConsole(world);
    const { installed, digest, content } = await draftOf(served, { name: 'kept' });
    expect(installed).toContain('source/kept');
    const change = { name: 'kept', content: `${content}more\n`, digest: digest ?? '' };
    expect(await edited(served, change)).toMatchObject({ status: 403, error: { code: 'denied' } });
    expect(await edited(served, { ...change, installed: true })).toMatchObject({ status: 200 });
  });

  it('is refused for what belongs to a plugin', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/kit/skills/charts');
    world.write('home/.claude/skills/kit/.claude-plugin/plugin.json', '{"name":"kit"}');
    const served = await serveConsole(world);
    const { rows } = await served.told<{ rows: { name: string; plugin: string | null }[] }>('/api/browse');
    const [row] = rows;
    expect(row?.plugin).not.toBeNull();
    const { obstacle, digest } = await draftOf(served, { name: row?.name ?? '' });
    expect(obstacle).toContain('plugin');
    const refused = await edited(served, { name: row?.name ?? '', content: 'x', digest: digest ?? '' });
    expect(refused).toMatchObject({ status: 403, error: { code: 'denied' } });
  });

  it('is taken from our own page alone, by POST, as JSON', async () => {
    const served = await serveConsole(ownSkill());
    const body = JSON.stringify({ name: 'mine', path: 'SKILL.md', content: 'x' });
    const cookie = await served.signIn();
    const json = { 'Content-Type': 'application/json', Cookie: cookie };
    for (const path of ['/api/edit', '/api/new', '/api/disable', '/api/enable', '/api/check']) {
      const foreign = await served.plain(
        path,
        { method: 'POST', headers: { ...json, Origin: 'http://evil.example' } },
        body,
      );
      expect([path, foreign.status]).toEqual([path, 403]);
      const form = await served.plain(
        path,
        { method: 'POST', headers: { ...json, 'Content-Type': 'text/plain', Origin: served.url } },
        body,
      );
      expect([path, form.status]).toEqual([path, 400]);
      const read = await served.ask(`${path}?name=mine`);
      expect([path, read.status]).toEqual([path, 405]);
      const nobody = await served.plain(
        path,
        { method: 'POST', headers: { 'Content-Type': 'application/json' } },
        body,
      );
      expect([path, nobody.status]).toEqual([path, 401]);
    }
  });
});

describe('a SKILL.md that was skipped', () => {
  it('is opened by its file, checked and mended, and is a skill from then on', async () => {
    const world = createWorld();
    world.write(`${claude}/broken/SKILL.md`, '---\nname: broken\ndescription: [unclosed\n---\n');
    world.write(`${claude}/broken/notes.txt`, 'Notes.\n');
    const served = await serveConsole(world);
    const [name, file] = ['broken', world.path(`${claude}/broken/SKILL.md`)];
    const opened = await draftOf(served, { name, file });
    expect(opened).toMatchObject({ obstacle: null, installed: null });
    expect(opened.findings.map(({ code, line }) => [code, line])).toEqual([['rule-yaml', 3]]);
    const content = '---\nname: broken\ndescription: Mended.\n---\n';
    expect((await draftOf(served, { name, file, content })).findings).toEqual([]);
    // Of what is no skill yet, nothing but its SKILL.md can be reached.
    expect(await edited(served, { name, file, path: 'notes.txt', content: 'Other.\n' })).toMatchObject({ status: 404 });
    expect(await edited(served, { name, file: world.path('home/.bashrc'), content })).toMatchObject({ status: 404 });
    expect(await edited(served, { name, file, content, digest: opened.digest ?? '' })).toMatchObject({ status: 200 });
    expect(textAt(world, `${claude}/broken/SKILL.md`)).toBe(content);
    await eventually(async () => (await served.ask('/api/inspect?name=broken')).status).toBe(200);
  });

  it('is left alone where it belongs to a plugin', async () => {
    const world = createWorld();
    installKit(world, ['charts']);
    const found = (await world.run(['list', '--json'])).json<{ skills: { file: string }[] }>().skills[0]?.file ?? '';
    writeFileSync(found, 'No front matter.\n');
    const served = await serveConsole(world);
    expect((await draftOf(served, { name: 'charts', file: found })).obstacle).toContain('belongs to the plugin kit');
    const refused = await edited(served, { name: 'charts', file: found, content: '---\n', digest: 'sha256:0' });
    expect(refused).toMatchObject({ status: 403, error: { code: 'denied' } });
  });
});

describe('a skill of a name that another one has', () => {
  it('is reached by its file, with all that belongs to it', async () => {
    const world = createWorld();
    world.skill(`${claude}/twin`, { body: '\n# At home\n' });
    world.skill('project/.claude/skills/twin', { body: '\n# In the project\n' });
    const served = await serveConsole(world);
    const file = encodeURIComponent(world.path(`${claude}/twin/SKILL.md`));
    const hidden = await served.told<InspectOutput>(`/api/inspect?name=twin&file=${file}`);
    expect([hidden.body, hidden.skill.shadowed]).toEqual([expect.stringContaining('At home'), true]);
    const { digest } = await draftOf(served, { name: 'twin', file: world.path(`${claude}/twin/SKILL.md`) });
    const change = await edited(served, {
      ...{ name: 'twin', file: world.path(`${claude}/twin/SKILL.md`), digest: digest ?? '' },
      content: '---\nname: twin\ndescription: Changed.\n---\n',
    });
    expect(change.status).toBe(200);
    expect(textAt(world, `${claude}/twin/SKILL.md`)).toContain('Changed.');
    expect(textAt(world, 'project/.claude/skills/twin/SKILL.md')).toContain('In the project');
  });
});

describe('a skill that is disabled', () => {
  it('can be looked at and enabled again', async () => {
    const world = ownSkill();
    const served = await serveConsole(world);
    const file = world.path(`${claude}/mine/SKILL.md`);
    expect((await served.post('/api/disable', { skills: ['mine'], agent: ['codex'] })).status).toBe(200);
    const at = `/api/inspect?name=mine&file=${encodeURIComponent(file)}`;
    const forSome = async () => (await served.told<InspectOutput>(at)).disabledFor;
    await eventually(forSome).toEqual(['codex']);
    expect((await served.post('/api/disable', { skills: ['mine'] })).status).toBe(200);
    await eventually(async () => (await served.told<InspectOutput>(at)).skill.disabled).toBe(true);
    expect((await served.ask('/api/inspect?name=mine')).status).toBe(404);
    expect((await served.post('/api/enable', { skills: ['mine'] })).status).toBe(200);
    await eventually(forSome).toEqual([]);
    expect((await served.ask('/api/inspect?name=mine')).status).toBe(200);
  });
});

describe('a new skill', () => {
  it('is made in a folder that is searched, and nowhere else', async () => {
    const world = ownSkill();
    const served = await serveConsole(world);
    const made = await served.post('/api/new', { what: 'skill', name: 'fresh', dir: world.path(claude) });
    expect(made.status).toBe(200);
    await eventually(async () => (await served.ask('/api/inspect?name=fresh')).status).toBe(200);
    for (const dir of [world.home, '/tmp', `${world.path(claude)}/..`, `${world.path(claude)}/mine`]) {
      const refused = await served.post('/api/new', { what: 'skill', name: 'elsewhere', dir });
      expect([dir, refused.status]).toEqual([dir, 403]);
    }
    const again = await served.post('/api/new', { what: 'skill', name: 'fresh', dir: world.path(claude) });
    expect(again.status).toBeGreaterThanOrEqual(400);
  });
});

describe('a manifest that cannot be used', () => {
  it('is told in the list and in the diagnostics', async () => {
    const world = ownSkill();
    world.write(`${claude}/mine/skill.toml`, '[tools.a]\ncommand = ["echo"]\nspeed = 3\n');
    const served = await serveConsole(world);
    const { rows } = await served.told<{ rows: { states: string[]; notes: { message: string }[] }[] }>('/api/browse');
    expect(rows).toMatchObject([{ states: ['broken-tools'], notes: [{ message: expect.stringContaining('speed') }] }]);
    const doctor = await served.told<{ diagnostics: { file: string; line: number }[] }>('/api/doctor');
    expect(doctor.diagnostics).toContainEqual(
      expect.objectContaining({ file: expect.stringMatching(/mine\/skill\.toml$/), line: 3 }),
    );
  });
});
