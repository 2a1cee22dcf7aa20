import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareOrigins } from '../../src/get/sources/sources.ts';
import { skillText, tgzOf } from './support/archives.ts';
import { Fetcher, filesIn } from './support/fetching.ts';
import { listen } from './support/servers.ts';

interface Registry {
  readonly url: string;
  /** Tarballs by version; a test may change them. */
  readonly versions: Map<string, { tarball: Buffer; integrity: string }>;
}

function sha512(content: Buffer): string {
  return `sha512-${createHash('sha512').update(content).digest('base64')}`;
}

/** Packs a package with the real npm; its scripts would leave a trace. */
function packed(fetcher: Fetcher, version: string, text = skillText('one')): { tarball: Buffer; integrity: string } {
  const trace = `touch ${fetcher.world.path('script-ran')}`;
  const scripts = { preinstall: trace, postinstall: trace, install: trace };
  const folder = `project/package-${version}`;
  fetcher.world.writeJson(`${folder}/package.json`, { name: '@team/skills', version, scripts });
  fetcher.world.write(`${folder}/skills/one/SKILL.md`, text);
  const cwd = fetcher.world.path(folder);
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent'], {
    cwd,
    env: { ...process.env, HOME: fetcher.world.home },
  });
  const tarball = readFileSync(join(cwd, `team-skills-${version}.tgz`));
  return { tarball, integrity: sha512(tarball) };
}

/** A registry that wants a token. */
async function registryFor(fetcher: Fetcher): Promise<Registry> {
  const versions: Registry['versions'] = new Map();
  const url = await listen((request, response) => {
    if (request.headers.authorization !== 'Bearer t0ken') return void response.writeHead(401).end('{}');
    const version = /-([\d.]+)\.tgz$/.exec(request.url ?? '')?.[1];
    const found = versions.get(version ?? '');
    if (found !== undefined) return void response.end(found.tarball);
    if (request.url !== '/@team%2fskills') return void response.writeHead(404).end('{}');
    const list = [...versions].map(([one, { integrity }]) => [
      one,
      { name: '@team/skills', version: one, dist: { integrity, tarball: `${url}/@team/skills/-/skills-${one}.tgz` } },
    ]);
    response.setHeader('content-type', 'application/json');
    const latest = [...versions.keys()].at(-1);
    response.end(JSON.stringify({ name: '@team/skills', 'dist-tags': { latest }, versions: Object.fromEntries(list) }));
  });
  fetcher.world.write('project/.npmrc', `@team:registry=${url}\n${url.replace('http:', '')}/:_authToken=t0ken\n`);
  return { url, versions };
}

const quick = { npm_config_fetch_retries: '0', npm_config_cache: '' };

function npmFetcher(): Fetcher {
  const fetcher = new Fetcher(quick);
  Object.assign(fetcher.environment.env, { npm_config_cache: fetcher.world.path('npm-cache') });
  return fetcher;
}

describe('an npm package', () => {
  it('comes through the user’s own npm with its private registry, and none of its scripts is run', async () => {
    const fetcher = npmFetcher();
    const { versions } = await registryFor(fetcher);
    versions.set('1.0.0', packed(fetcher, '1.0.0'));
    const { folder, skills, origin, dispose } = await fetcher.fetch('npm:@team/skills');
    expect(filesIn(folder)['package/skills/one/SKILL.md']).toBe(skillText('one'));
    const { integrity = '' } = versions.get('1.0.0') ?? {};
    expect(origin).toEqual({ kind: 'npm', source: 'npm:@team/skills', version: '1.0.0', integrity });
    expect(skills).toEqual([
      { name: 'one', path: 'package/skills/one', origin: { ...origin, path: 'package/skills/one' } },
    ]);
    expect(existsSync(fetcher.world.path('script-ran'))).toBe(false);
    await dispose();

    versions.set('1.1.0', packed(fetcher, '1.1.0', `${skillText('one')}new`));
    const newest = await fetcher.newest('npm:@team/skills');
    expect(newest).toMatchObject({ version: '1.1.0', integrity: versions.get('1.1.0')?.integrity });
    expect(compareOrigins(origin, newest)).toBe('newer');
    expect((await fetcher.newest('npm:@team/skills@^1.0.0')).version).toBe('1.1.0');
    expect((await fetcher.fetch('npm:@team/skills', { pinned: origin })).origin.version).toBe('1.0.0');
    expect((await fetcher.fetch('npm:@team/skills@1.0.0')).origin.version).toBe('1.0.0');
  });

  it('is refused where it is not what was promised or recorded, where it is hostile, and where there is none', async () => {
    const fetcher = npmFetcher();
    const { versions } = await registryFor(fetcher);
    const real = packed(fetcher, '1.0.0');
    const hostile = tgzOf([{ name: 'package/SKILL.md', content: skillText('one') }, { name: 'package/../../evil' }]);
    versions.set('1.0.0', { ...real, integrity: sha512(Buffer.from('other')) });
    versions.set('2.0.0', { tarball: hostile, integrity: sha512(hostile) });
    versions.set('3.0.0', real);
    expect((await fetcher.refusal('npm:@team/skills@1.0.0')).message).toContain(
      'the registry sends something else than it promises',
    );
    expect((await fetcher.refusal('npm:@team/skills@2.0.0')).message).toContain('its name leads out');
    const pinned = { kind: 'npm', source: 'npm:@team/skills', version: '3.0.0', integrity: sha512(hostile) } as const;
    expect((await fetcher.refusal('npm:@team/skills', { pinned })).message).toContain('is not what was recorded');
    expect(await fetcher.refusal('npm:@team/skills@9.0.0')).toMatchObject({ code: 'not-found' });
    expect(await fetcher.refusal('npm:@team/none')).toMatchObject({ code: 'not-found' });
    fetcher.world.write(
      'project/.npmrc',
      readFileSync(fetcher.world.path('project/.npmrc'), 'utf8').replace('t0ken', 'wr0ng'),
    );
    const denied = await fetcher.refusal('npm:@team/skills@3.0.0');
    expect(denied.code).toBe('denied');
    expect(denied.message).not.toContain('wr0ng');
  });

  it('needs npm', async () => {
    const fetcher = new Fetcher({ PATH: '/nonexistent' });
    expect(await fetcher.refusal('npm:skills')).toMatchObject({ code: 'unavailable', message: 'npm is not installed' });
    expect(await fetcher.refusal('owner/repo')).toMatchObject({ code: 'unavailable', message: 'git is not installed' });
  });
});
