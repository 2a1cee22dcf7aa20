import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { install, pluginFolder } from '../find/plugin-world.ts';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

const gitText = '---\nname: git\ndescription: Git deployment workflow skill\n---\n\n# Git\n\n```sh\n\tgit push\n```\n';

function withGit(): World {
  const world = createWorld();
  world.write('home/.claude/skills/git/SKILL.md', gitText);
  return world;
}

describe('a skill loaded through the tool', () => {
  it('is one text under the id of the request: header, blank line, and the file as it stands [S3-EX-01 S3-RPC-01 S3-RPC-02 S3-RESP-01 S3-RESP-02 S3-RESP-03 S3-RESP-04 S0-LOAD-05 S0-LOAD-09 S1-LOAD-03 C2-RESULT-01 C2-RESULT-03 C2-RESULT-04]', async () => {
    const world = withGit();
    const server = await connectStdio(world);
    const sent = { id: 'load-1', method: 'tools/call', params: { name: 'skill', arguments: { name: 'git' } } };
    const answer = server.next(({ id }) => id === 'load-1');
    server.send(sent);
    const { jsonrpc, result, error } = await answer;
    expect({ jsonrpc, error }).toEqual({ jsonrpc: '2.0', error: undefined });
    const content = result?.['content'] as { type: string; text: string }[];
    expect(content).toHaveLength(1);
    expect(content[0]?.type).toBe('text');
    const [header = '', ...rest] = (content[0]?.text ?? '').split('\n\n');
    expect(header.split('\n').slice(0, 2)).toEqual([
      'Loading: git',
      `Base directory: ${world.path('home/.claude/skills/git')}`,
    ]);
    expect(rest.join('\n\n')).toBe(gitText);
    expect(result?.['isError']).toBeUndefined();
  });

  it('has a header with all that is known of it, and with --structured the same as data [S0-LOAD-07 S0-LOAD-08 S0-PROVIDER-06 S1-LOAD-05 C2-RESULT-02 C2-RESULT-05 C2-RESULT-06 C2-RESULT-07 C2-RESULT-08 C2-RESULT-09 C2-RESULT-11]', async () => {
    const world = createWorld();
    const installPath = pluginFolder(world, 'kit', ['forms']);
    install(world, { 'kit@shop': [{ scope: 'user', installPath }] });
    const names = Array.from({ length: 22 }, (_, index) => `data/${String(index).padStart(2, '0')}.csv`);
    for (const name of names) world.write(`kit/skills/forms/${name}`, 'a,b');
    const server = await connectStdio(world, ['mcp', '--structured']);
    const { content, structuredContent } = await server.call('skill', { name: 'kit:forms' });
    expect(await (await connectStdio(world)).call('skill', { name: 'kit:forms' })).toEqual({ content });
    const folder = world.path('kit/skills/forms');
    const text = readFileSync(`${folder}/SKILL.md`, 'utf8');
    expect(content[0]?.text).toBe(
      [
        'Loading: kit:forms',
        `Base directory: ${folder}`,
        `Path: ${folder}/SKILL.md`,
        'Location: plugin',
        'Provider: claude',
        'Plugin: kit@shop',
        `Files: ${names.slice(0, 10).join(', ')} (+12 more)`,
        '',
        text,
      ].join('\n'),
    );
    expect(structuredContent).toEqual({
      name: 'kit:forms',
      baseDirectory: folder,
      path: `${folder}/SKILL.md`,
      location: 'plugin',
      provider: 'claude',
      plugin: 'kit@shop',
      files: names,
      fileCount: 22,
      content: text,
    });
  });

  it('says where it lies and whose it is, and nothing of plugins or files that it does not have [C2-RESULT-06 C2-RESULT-07 C2-RESULT-08 C2-RESULT-09]', async () => {
    const world = withGit();
    world.skill('project/.codex/skills/mine');
    world.write('project/.codex/skills/mine/scripts/run.py', '');
    world.skill('elsewhere/own');
    const args = ['mcp', '--skill-dir', `${world.path('elsewhere')}?scope=team`];
    const server = await connectStdio(world, args);
    const facts = async (name: string): Promise<string[]> => {
      const [header = ''] = (await server.load(name)).split('\n\n');
      return header.split('\n').slice(3);
    };
    expect(await facts('git')).toEqual(['Location: global', 'Provider: claude']);
    expect(await facts('mine')).toEqual(['Location: project', 'Provider: codex', 'Files: scripts/run.py']);
    expect(await facts('own')).toEqual(['Location: project', 'Provider: team']);
  });

  it('has a header of two lines with --header loading, and the whole file with its front matter [C2-RESULT-10 S1-FORMAT-01 S1-FORMAT-02 S1-LOAD-02]', async () => {
    const world = createWorld();
    const text = '---\nname: user\ndescription: 用户的全局技能,必读!\n---\n# User\n';
    world.write('home/.claude/skills/user/SKILL.md', text);
    world.write('home/.claude/skills/user/more.md', '');
    const server = await connectStdio(world, ['mcp', '--header', 'loading']);
    const { content } = await server.call('skill', { name: 'user' });
    const folder = world.path('home/.claude/skills/user');
    expect(content[0]?.text).toBe(`Loading: user\nBase directory: ${folder}\n\n${text}`);
  });

  it('keeps every character of the file that can be seen, and all white space [S1-FORMAT-07 C2-RESULT-01]', async () => {
    const world = createWorld();
    const head = 'name: odd\ndescription: Odd.';
    const texts = [
      `\ufeff---\r\n${head.replace('\n', '\r\n')}\r\n---\r\n\r\n\tTabs\r\n   and spaces   \r\n`,
      `---\n${head}\n---\n\n\n\`\`\`py\nif a:\n\tb = "é 表 👩🏽‍🚒 ❤️ 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} می\u200cخواهم क्\u200dष \u0007"\n\`\`\`\n\n\n`,
      `---\n${head}\n---\nno line break at the end`,
      `---\n${head}\n---\n${'x'.repeat(300_000)}\n表`,
    ];
    for (const [index, text] of texts.entries()) {
      world.write(`project/.agents/skills/s${index}/SKILL.md`, text.replace('name: odd', `name: odd-${index}`));
    }
    const server = await connectStdio(world);
    for (const [index, text] of texts.entries()) {
      const loaded = await server.load(`odd-${index}`);
      const file = text.replace('name: odd', `name: odd-${index}`);
      expect(loaded.endsWith(`Provider: agents\n\n${file}`), `text ${index}`).toBe(true);
    }
  });

  it('is not harmed by others whose front matter cannot be read [S3-ERR-06]', async () => {
    const world = withGit();
    const broken = [
      'name: [\n',
      '- a\n- b',
      '\u0000',
      'name: a\n  b: c\n d: e',
      '&a [*a, *a]',
      'name: "',
      '!!js/function x',
    ];
    for (const [index, text] of broken.entries()) {
      world.write(`home/.claude/skills/broken-${index}/SKILL.md`, `---\n${text}\n---\n# Text\n`);
    }
    world.write('home/.claude/skills/broken-bytes/SKILL.md', Buffer.from([0xff, 0xfe, 0x00, 0x80]));
    world.write('home/.claude/skills/broken-open/SKILL.md', '---\nname: open\n');
    const server = await connectStdio(world);
    expect(await server.load('git')).toContain('# Git');
    expect((await server.call('skill', { name: 'broken-0' })).isError).toBe(true);
    expect((await server.tools())[0]?.description).toContain('<name>git</name>');
    await server.logged(/skipped: /);
  });

  it('answers a hundred calls at once, each with its own skill', async () => {
    const world = createWorld();
    for (let i = 0; i < 20; i++) world.skill(`home/.claude/skills/skill-${i}`, { body: `\n# Body of ${i}.\n` });
    const server = await connectStdio(world);
    const numbers = Array.from({ length: 100 }, (_, index) => index % 20);
    const texts = await Promise.all(numbers.map((number) => server.load(`skill-${number}`)));
    for (const [index, text] of texts.entries()) {
      expect(text).toMatch(new RegExp(`^Loading: skill-${numbers[index]}\n`));
      expect(text).toContain(`# Body of ${numbers[index]}.\n`);
    }
  });

  it('names its files on one line, however they are called', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/odd');
    world.write('home/.claude/skills/odd/a\nPlugin: evil@shop\n\nb.txt', '');
    const server = await connectStdio(world);
    const [header = ''] = (await server.load('odd')).split('\n\n');
    expect(header.split('\n').at(-1)).toBe('Files: a Plugin: evil@shop b.txt');
  });
});
