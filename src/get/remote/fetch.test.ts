import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createWorld } from '../../../test/support/world.ts';
import { hostEnvironment } from '../../core/environment.ts';
import { targetFor } from '../connect/target.ts';
import { type FetchOptions, fetchFromServer } from './fetch.ts';

const server = fileURLToPath(new URL('../../../test/support/skills-server.mjs', import.meta.url));

function fetchFrom(how: string, options: Partial<FetchOptions> = {}) {
  const world = createWorld();
  const folder = world.path('fetched');
  const target = targetFor([process.execPath, server, how], hostEnvironment());
  return { world, folder, fetched: fetchFromServer(target, { folder, ...options }) };
}

/** Everything below a folder. */
function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length + 1))
    .sort();
}

const goodFiles = ['good/SKILL.md', 'good/references/more.md'];

describe('fetching skills of a server', () => {
  it('takes every file, byte for byte, with the digests that were compared', async () => {
    const { folder, fetched } = fetchFrom('honest');
    const { skills, problems, server: name, digest } = await fetched;
    expect(problems).toEqual([]);
    expect(name).toBe('other');
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(skills).toMatchObject([
      { name: 'good', path: `${folder}/good`, uri: 'skill://good/SKILL.md', verified: true },
    ]);
    expect(below(folder)).toEqual(goodFiles);
    expect(readFileSync(`${folder}/good/references/more.md`, 'utf8')).toBe('More.\n');
    expect((await fetchFrom('honest').fetched).digest).toBe(digest);
  });

  it.each([
    ['wrong digest', /SKILL\.md has another digest than the list says/],
    ['wrong size', /SKILL\.md has \d+ bytes, and the list says 3/],
    ['no digest', /not as the skills extension has it/],
    ['another name in the list', /its front matter has the name "good"/],
    ['another name in the file', /a front matter other than the list says/],
    ['another description', /a front matter other than the list says/],
    ['a key left out', /a front matter other than the list says/],
    ['no front matter', /a front matter other than the list says/],
    ['a way up in its address', /its address is not that of a SKILL\.md/],
    ['a way up in a name', /its address is not that of a SKILL\.md/],
    ['a way up in a file', /which is not a place in its folder/],
    ['an encoded way up', /which is not a place in its folder/],
    ['an encoded slash', /which is not a place in its folder/],
    ['an absolute file', /which is not a place in its folder/],
    ['a file elsewhere', /which is not a place in its folder/],
    ['a repository of Git', /which is not a place in its folder/],
    ['names that differ in case', /two of its files would be one/],
    ['a file that is a folder', /two of its files would be one/],
    ['a second SKILL.md', /two of its files would be one/],
    ['a device of Windows', /which is not a place in its folder/],
    ['a huge file', /its files are larger than 16 MiB/],
    ['many files', /more than 512 files/],
    ['a file that is not served', /resources\/read was answered with an error: there is no such file/],
    ['more bytes than it says', /SKILL\.md is too large/],
    ['no entry at all', /not as the skills extension has it/],
    ['a long way', /it has passed more than 8 servers/],
  ])('leaves out a skill with %s, and takes the others', async (how, message) => {
    const { folder, fetched, world } = fetchFrom(how);
    const { skills, problems } = await fetched;
    expect(skills.map(({ name }) => name)).toEqual(['good']);
    expect(problems).toMatchObject([{ message: expect.stringMatching(message) }]);
    expect(below(folder)).toEqual(goodFiles);
    expect(readdirSync(world.path('.'))).not.toContain('evil.md');
  });

  it.each([
    ['endless pages', /more than 20 pages/, ['good']],
    ['pages in a circle', /leads back to a page/, ['good']],
    ['a million skills', /more than 30 entries/, null],
  ])('takes the beginning of a list with %s', async (how, message, names) => {
    const { fetched } = fetchFrom(how, { limits: { pages: 20, skills: 30 } });
    const { skills, problems } = await fetched;
    expect(problems).toMatchObject([{ message: expect.stringMatching(message) }]);
    if (names === null) expect(skills).toHaveLength(30);
    else expect(skills.map(({ name }) => name)).toEqual(names);
  });

  it('takes the first of several at one address', async () => {
    const { skills, problems } = await fetchFrom('two at one address').fetched;
    expect(skills).toHaveLength(1);
    expect(problems.map(({ message }) => message)).toEqual(Array(2).fill('left out: another skill has its address'));
  });

  it('keeps two skills of one name apart', async () => {
    const { folder, fetched } = fetchFrom('two of one name');
    expect((await fetched).problems).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['b-twin', 'good', 'twin']);
  });

  it.each([
    ['hangs', 'hangs', /did not answer skills\/list in time/, { requestMs: 6000 }],
    ['hangs at a file', 'hangs at a file', /did not answer resources\/read in time/, { requestMs: 6000 }],
    ['never answers', 'never answers', /did not answer the handshake in time/, { requestMs: 1500 }],
    ['dies', 'dies', /the server ended with code 3/],
    ['dies at a file', 'dies at a file', /the server ended with code 3/],
    ['never ends a line', 'never ends a line', /something other than the protocol/],
    ['sends a page of a million', 'one page of a million', /an endless line/],
    ['answers with something else', 'something else', /skills\/list was answered with something else/],
    ['has no skills', 'no skills', /the server offers no skills/],
  ])('gives up on a server that %s, and leaves nothing behind', async (_, how, message, limits?) => {
    const { folder, fetched } = fetchFrom(how, limits && { limits });
    await expect(fetched).rejects.toThrow(message);
    expect(existsSync(folder)).toBe(false);
  });

  it('is not held up by a server that floods it with messages', async () => {
    const { fetched, folder } = fetchFrom('floods', { limits: { requestMs: 3000, totalMs: 4000 } });
    const outcome = await fetched.then(
      ({ skills }) => skills.length,
      (error: unknown) => String(error),
    );
    // It may have answered in between; whatever came of it, it came to an end.
    expect(outcome === 1 ? existsSync(folder) : !existsSync(folder)).toBe(true);
  });

  it('takes SKILL.md alone from a server that knows resources only, and says so', async () => {
    const { folder, fetched } = fetchFrom('only resources');
    const { skills, problems } = await fetched;
    expect(skills).toMatchObject([{ name: 'good', verified: false }]);
    expect(problems).toMatchObject([{ skill: 'good', message: expect.stringMatching(/SKILL\.md alone/) }]);
    expect(below(folder)).toEqual(['good/SKILL.md']);
  });

  it('takes those that are named, and says which there are where one is missing', async () => {
    const { folder, fetched } = fetchFrom('two of one name', { names: ['good'] });
    await fetched;
    expect(readdirSync(folder)).toEqual(['good']);
    const missing = fetchFrom('honest', { names: ['goods'] });
    await expect(missing.fetched).rejects.toMatchObject({ code: 'not-found', suggestions: ['good'] });
    expect(existsSync(missing.folder)).toBe(false);
  });

  it('stops when nobody wants it any longer', async () => {
    const stop = new AbortController();
    const { folder, fetched } = fetchFrom('hangs', { signal: stop.signal });
    stop.abort();
    await expect(fetched).rejects.toThrow();
    expect(existsSync(folder)).toBe(false);
  });
});
