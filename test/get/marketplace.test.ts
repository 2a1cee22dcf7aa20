import { describe, expect, it } from 'vitest';
import { skillText, tgzOf } from './support/archives.ts';
import { Fetcher, filesIn } from './support/fetching.ts';
import { gitOverHttp, listen, Repository } from './support/servers.ts';

/** A repository that is a marketplace, with plugins of every layout. */
function marketIn(
  fetcher: Fetcher,
  plugins: readonly object[],
  more: Readonly<Record<string, string>> = {},
): Repository {
  const market = new Repository(fetcher.world.path('served/team/market.git'));
  market.commit({
    '.claude-plugin/marketplace.json': JSON.stringify({ name: 'market', owner: { name: 'Team' }, plugins }),
    'plugins/tools/skills/one/SKILL.md': skillText('one'),
    'plugins/tools/extra/two/SKILL.md': skillText('two'),
    'plugins/tools/.claude-plugin/plugin.json': JSON.stringify({ name: 'tools', skills: ['./extra'] }),
    'plugins/whole/SKILL.md': skillText('whole'),
    'skills/shared/SKILL.md': skillText('shared'),
    'skills/other/SKILL.md': skillText('other'),
    ...more,
  });
  return market;
}

const names = (skills: readonly { readonly name: string; readonly plugin?: string }[]): string[] =>
  skills.map(({ name, plugin }) => `${plugin}:${name}`);

describe('a marketplace', () => {
  it('gives the skills of its plugins, where their manifests say they are', async () => {
    const fetcher = new Fetcher();
    const market = marketIn(fetcher, [
      { name: 'tools', source: './plugins/tools' },
      { name: 'whole', source: './plugins/whole' },
      { name: 'part', source: './', strict: false, skills: ['./skills/shared'] },
      { name: 'empty', source: './docs' },
    ]);
    const url = `${await gitOverHttp(fetcher.world.path('served'))}/team/market.git`;
    const { skills, refused, folder, origin } = await fetcher.fetch(`marketplace:${url}`);
    expect(names(skills)).toEqual(['tools:two', 'tools:one', 'whole:whole', 'part:shared']);
    expect(refused).toEqual([]);
    expect(Object.keys(filesIn(folder))).toEqual([
      'part/skills/shared/SKILL.md',
      'tools/plugins/tools/extra/two/SKILL.md',
      'tools/plugins/tools/skills/one/SKILL.md',
      'whole/plugins/whole/SKILL.md',
    ]);
    const commit = market.git('rev-parse', 'HEAD');
    expect(origin).toMatchObject({ kind: 'marketplace', source: `marketplace:${url}`, commit });
    const one = skills.find(({ name }) => name === 'one');
    expect(one?.origin).toEqual({
      kind: 'git',
      source: url,
      url,
      commit,
      path: 'plugins/tools/skills/one',
      tree: market.git('rev-parse', 'HEAD:plugins/tools/skills/one'),
      plugin: 'tools',
      marketplace: `marketplace:${url}`,
    });
    // What a lock file records of it is enough to have the same again.
    const again = await fetcher.fetch(one?.origin.source ?? '', { pinned: one?.origin });
    expect(filesIn(again.folder)).toEqual({ 'plugins/tools/skills/one/SKILL.md': skillText('one') });
    const chosen = await fetcher.fetch(`plugin:whole@${url}`);
    expect(names(chosen.skills)).toEqual(['whole:whole']);
    expect(await fetcher.newest(`marketplace:${url}`)).toMatchObject({ kind: 'marketplace', commit });
    const missing = await fetcher.fetch(`plugin:none@${url}`).catch((error: unknown) => error);
    expect(missing).toMatchObject({ code: 'not-found', hint: 'It has tools, whole, part, empty.' });
  });

  it('names plugins elsewhere, in other repositories and archives, and none that lie on this machine', async () => {
    const fetcher = new Fetcher();
    const base = await gitOverHttp(fetcher.world.path('served'));
    const files = await listen(
      (_, response) => void response.end(tgzOf([{ name: 'skills/packed/SKILL.md', content: skillText('packed') }])),
    );
    const other = new Repository(fetcher.world.path('served/team/other.git'));
    const commit = other.commit({
      'deep/plugin/skills/far/SKILL.md': skillText('far'),
      'skills/near/SKILL.md': skillText('near'),
    });
    const secret = new Repository(fetcher.world.path('private'));
    secret.commit({ 'skills/secret/SKILL.md': skillText('secret') });
    marketIn(fetcher, [
      {
        name: 'far',
        source: { source: 'git-subdir', url: `${base}/team/other.git`, path: 'deep/plugin', ref: 'main' },
      },
      { name: 'near', source: { source: 'url', url: `${base}/team/other.git`, sha: commit } },
      { name: 'packed', source: { source: 'archive', url: `${files}/packed.tgz` } },
      { name: 'local', source: { source: 'local', path: './plugins/whole' } },
      { name: 'secret', source: { source: 'url', url: `file://${secret.folder}` } },
      { name: 'command', source: { source: 'command', command: 'touch evil' } },
      { name: 'out', source: '../../private' },
      { name: '../name', source: './plugins/whole' },
      { name: 'gone', source: { source: 'url', url: `${base}/team/gone.git` } },
      { name: 'Local', source: './plugins/whole' },
    ]);
    const { skills, refused } = await fetcher.fetch(`marketplace:${base}/team/market.git`);
    expect(names(skills)).toEqual(['far:far', 'near:near', 'packed:packed', 'local:whole']);
    expect(skills.find(({ name }) => name === 'far')?.origin).toMatchObject({
      kind: 'git',
      url: `${base}/team/other.git`,
      commit,
      path: 'deep/plugin/skills/far',
    });
    expect(refused.map(({ name, reason }) => [name, reason.replace(/^.*(?:\/|\.git|": )\s?/, '')])).toEqual([
      ['secret', expect.stringContaining('lies on this machine')],
      ['command', 'it comes from "command", which is not supported'],
      ['out', expect.stringContaining('leads out of the marketplace')],
      ['../name', expect.stringContaining('its name has a slash')],
      ['gone', expect.stringContaining('there is no such repository')],
      ['Local', expect.stringContaining('another plugin of this name')],
    ]);
  });

  it('is one of Codex, of Gemini, a folder, or a file on a server', async () => {
    const fetcher = new Fetcher();
    fetcher.put(
      'codex/.agents/plugins/marketplace.json',
      JSON.stringify({ plugins: [{ name: 'p', source: { source: 'local', path: './p' } }] }),
    );
    fetcher.put('codex/p/skills/one/SKILL.md', skillText('one'));
    expect(names((await fetcher.fetch('marketplace:./codex')).skills)).toEqual(['p:one']);
    expect(names((await fetcher.fetch('./codex/.agents/plugins/marketplace.json')).skills)).toEqual(['p:one']);
    fetcher.put('gemini/gemini-extension.json', JSON.stringify({ name: 'ext', version: '1.0.0' }));
    fetcher.put('gemini/skills/two/SKILL.md', skillText('two'));
    expect(names((await fetcher.fetch('marketplace:./gemini')).skills)).toEqual(['ext:two']);
    fetcher.put('bare/README.md', '');
    await expect(fetcher.fetch('marketplace:./bare')).rejects.toThrow('has no file of a marketplace');
    const base = await gitOverHttp(fetcher.world.path('served'));
    new Repository(fetcher.world.path('served/team/other.git')).commit({ 'skills/near/SKILL.md': skillText('near') });
    const market = await listen(
      (_, response) =>
        void response.end(
          JSON.stringify({
            plugins: [
              { name: 'near', source: { source: 'git', url: `${base}/team/other.git` } },
              { name: 'beside', source: './x' },
            ],
          }),
        ),
    );
    const { skills, refused } = await fetcher.fetch(`${market}/marketplace.json`);
    expect(names(skills)).toEqual(['near:near']);
    expect(refused).toMatchObject([{ name: 'beside', reason: expect.stringContaining('was fetched alone') }]);
  });

  it.each([
    ['[]', 'its file is wrong'],
    ['{"plugins":[{"name":""}]}', 'plugins[0].name cannot be empty'],
    ['not JSON', 'its file is not JSON'],
  ])('is refused where its file is wrong: %s', async (content, reason) => {
    const fetcher = new Fetcher();
    fetcher.put('m/.claude-plugin/marketplace.json', content);
    expect((await fetcher.refusal('marketplace:./m')).message).toContain(reason);
  });
});
