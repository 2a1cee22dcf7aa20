import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startOf, thisProcess } from '../../src/core/disk/owner.ts';
import { skillText } from './support/archives.ts';
import { Fetcher, filesIn } from './support/fetching.ts';

describe('a folder', () => {
  it('gives copies of its skills, and nothing else', async () => {
    const fetcher = new Fetcher();
    fetcher.put('tools/README.md', 'Read me.');
    fetcher.put('tools/skills/one/SKILL.md', skillText('first'));
    chmodSync(fetcher.put('tools/skills/one/run.sh', 'echo'), 0o4755);
    fetcher.put('tools/skills/one/node_modules/x/SKILL.md', skillText('x'));
    fetcher.put('tools/skills/one/examples/inner/SKILL.md', skillText('inner'));
    fetcher.put('tools/.claude/skills/two/skill.md', skillText('two'));
    fetcher.put('tools/.git/config', '');
    symlinkSync('../../README.md', join(fetcher.world.project, 'tools/skills/one/read-me'));
    const fetched = await fetcher.fetch('./tools', { offline: true });
    expect(filesIn(fetched.folder)).toEqual({
      '.claude/skills/two/skill.md': skillText('two'),
      'README.md': 'Read me.',
      'skills/one/SKILL.md': skillText('first'),
      'skills/one/examples/inner/SKILL.md': skillText('inner'),
      'skills/one/read-me': 'Read me.',
      'skills/one/run.sh': 'echo',
    });
    expect(statSync(join(fetched.folder, 'skills/one/run.sh')).mode & 0o7100).toBe(0o100);
    expect(statSync(join(fetched.folder, '..')).mode & 0o777).toBe(0o700);
    const origin = { kind: 'folder', source: './tools', url: join(fetcher.world.project, 'tools') };
    expect(fetched.origin).toEqual(origin);
    expect(fetched.skills).toEqual([
      { name: 'two', path: '.claude/skills/two', origin: { ...origin, path: '.claude/skills/two' } },
      { name: 'first', path: 'skills/one', origin: { ...origin, path: 'skills/one' } },
    ]);
  });

  it('may be a skill itself, with others in a folder for skills', async () => {
    const fetcher = new Fetcher();
    fetcher.put('tools/SKILL.md', 'No front matter.');
    fetcher.put('tools/skills/one/SKILL.md', skillText('one'));
    fetcher.put('tools/examples/two/SKILL.md', skillText('two'));
    const { skills } = await fetcher.fetch('./tools');
    expect(skills.map(({ name, path }) => [name, path])).toEqual([
      ['tools', ''],
      ['one', 'skills/one'],
    ]);
  });

  it('loses a skill that has a link out or a pipe', async () => {
    const fetcher = new Fetcher();
    for (const name of ['a', 'b', 'c']) fetcher.put(`tools/${name}/SKILL.md`, skillText(name));
    symlinkSync('/etc/passwd', join(fetcher.world.project, 'tools/a/x'));
    execFileSync('mkfifo', [join(fetcher.world.project, 'tools/b/pipe')]);
    const { skills, refused } = await fetcher.fetch('./tools');
    expect(skills.map(({ name }) => name)).toEqual(['c']);
    expect(refused.map(({ reason }) => reason)).toEqual([
      'x: the link leads out, to "/etc/passwd"',
      'pipe: it is a device, a pipe or a socket',
    ]);
  });

  it('is missed where there is none, or none of skills', async () => {
    const fetcher = new Fetcher();
    fetcher.put('file.txt', '');
    fetcher.put('empty/README.md', '');
    expect(await fetcher.refusal('./none')).toMatchObject({
      code: 'not-found',
      message: 'none: there is no such folder',
    });
    expect(await fetcher.refusal('./file.txt')).toMatchObject({ code: 'usage' });
    expect(await fetcher.refusal('./empty')).toMatchObject({ code: 'not-found' });
  });
});

describe('what a killed process has left', () => {
  it('is removed by the next one that fetches, and what belongs to a living one is not', async () => {
    const fetcher = new Fetcher();
    fetcher.put('tools/one/SKILL.md', skillText('one'));
    const base = join(fetcher.world.home, '.cache/repertoire/fetched');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const own = thisProcess().split('.').slice(2).join('.');
    const name = `${child.pid}.${startOf(child.pid ?? 0)}.${own}-abc`;
    mkdirSync(join(base, name, 'files'), { recursive: true });
    writeFileSync(join(base, name, 'files/half'), 'half');
    const first = await fetcher.fetch('./tools');
    expect(readdirSync(base)).toContain(name);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const second = await fetcher.fetch('./tools');
    expect(readdirSync(base).sort()).toEqual(
      [first.folder, second.folder].map((path) => path.split('/').at(-2) ?? '').sort(),
    );
    await first.dispose();
    await second.dispose();
    expect(fetcher.left()).toEqual([]);
    rmSync(base, { recursive: true });
  });
});
