import { createHash } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { compareOrigins } from '../../src/get/sources/sources.ts';
import { skillText, tgzOf, zipOf } from './support/archives.ts';
import { Fetcher, filesIn } from './support/fetching.ts';
import { listen } from './support/servers.ts';

const archive = tgzOf([{ name: 'one/SKILL.md', content: skillText('one') }]);

/** Keeps writing until the other side has had enough. */
function pour(response: ServerResponse, chunk: Buffer): void {
  const go = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', go);
  };
  go();
}

describe('an archive on a server', () => {
  it('is fetched, and fetched again only as it was', async () => {
    let served = archive;
    const url = `${await listen((request, response) => {
      response.setHeader('etag', `"${served.length}"`);
      response.end(request.method === 'HEAD' ? undefined : served);
    })}/one.tgz`;
    const fetcher = new Fetcher();
    const said: unknown[] = [];
    const fetched = await fetcher.fetch(url, { onProgress: (progress) => said.push(progress) });
    expect(filesIn(fetched.folder)).toEqual({ 'one/SKILL.md': skillText('one') });
    const integrity = `sha256-${createHash('sha256').update(archive).digest('base64')}`;
    expect(fetched.origin).toEqual({ kind: 'archive', source: url, url, integrity, etag: `"${archive.length}"` });
    expect(said).toContainEqual({ what: `Downloading ${url}`, done: archive.length, total: archive.length });
    expect(compareOrigins(fetched.origin, await fetcher.newest(url))).toBe('same');
    served = tgzOf([{ name: 'one/SKILL.md', content: `${skillText('one')}changed` }]);
    expect(compareOrigins(fetched.origin, await fetcher.newest(url))).toBe('newer');
    await fetched.dispose();
    expect((await fetcher.refusal(url, { pinned: fetched.origin })).message).toContain('is not what was recorded');
  });

  it('is given to credentials in its address, which go nowhere else', async () => {
    const seen: (string | undefined)[] = [];
    const other = await listen((request, response) => {
      seen.push(request.headers.authorization);
      response.end(archive);
    });
    const base = await listen((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(302, { location: `${other}/elsewhere.tgz?token=abc` }).end();
    });
    const fetched = await new Fetcher().fetch(`${base.replace('//', '//ann:s3cret@')}/one.tgz?token=xyz`);
    expect(seen).toEqual([`Basic ${Buffer.from('ann:s3cret').toString('base64')}`, undefined]);
    expect(fetched.origin).toMatchObject({ source: `${base}/one.tgz`, url: `${other}/elsewhere.tgz` });
    expect(JSON.stringify(fetched)).not.toMatch(/s3cret|abc|xyz/);
  });

  const hostile: readonly (readonly [string, RequestListener, string])[] = [
    ['never answers', () => undefined, 'the server went silent'],
    ['answers, and goes silent', (_, response) => void response.write('x'.repeat(10_000)), 'the server went silent'],
    [
      'drips',
      (_, response) => {
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(timer));
      },
      'the server sends less than 1 kB a second',
    ],
    ['never ends', (_, response) => pour(response, Buffer.alloc(64 * 1024)), 'larger than 2 MB'],
    [
      'announces too much',
      (_, response) => void response.writeHead(200, { 'content-length': String(10 ** 12) }).write('x'),
      'larger than 2 MB',
    ],
    [
      'sends less than it announces',
      (_, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('x');
        response.destroy();
      },
      'cannot be reached',
    ],
    [
      'redirects for ever',
      (request, response) => void response.writeHead(302, { location: `${request.url}x` }).end(),
      'redirects more than 5 times',
    ],
    [
      'redirects to plain HTTP elsewhere',
      (_, response) => void response.writeHead(302, { location: 'http://example.org/one.zip' }).end(),
      'http is not used',
    ],
    [
      'redirects to a file',
      (_, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      'file is not used',
    ],
    ['does not have it', (_, response) => void response.writeHead(404).end(), 'the server answers with 404'],
    ['fails', (_, response) => void response.writeHead(500).end(), 'the server answers with 500'],
    ['sends a page instead', (_, response) => void response.end('<html>'), 'neither a ZIP archive'],
    ['resets the connection', (request) => void request.socket.destroy(), 'cannot be reached'],
  ];

  it.each(hostile)('is refused from a server that %s', async (_, handle, reason) => {
    const base = await listen(handle);
    // Whoever is to be found too slow needs little patience, and the others all there is.
    const isSlow = /silent|less than/.test(reason);
    const limits = { sentBytes: 2 * 1024 ** 2, ...(isSlow && { idleMs: 1500 }) };
    const error = await new Fetcher().refusal(`${base}/one.zip`, { limits });
    expect(error.message).toContain(reason);
  });

  it('is not fetched over plain HTTP from another machine', async () => {
    const error = await new Fetcher().refusal('http://ann:s3cret@example.org/one.zip');
    expect(error).toMatchObject({ code: 'denied', message: 'http://example.org/one.zip: http is not used' });
  });

  it('is no longer fetched once the caller has lost interest', async () => {
    const controller = new AbortController();
    const base = await listen((_, response) => {
      response.write('x');
      controller.abort(new Error('enough'));
    });
    const fetcher = new Fetcher();
    await expect(fetcher.fetch(`${base}/one.zip`, { signal: controller.signal })).rejects.toThrow('enough');
    expect(fetcher.left()).toEqual([]);
  });
});

/** A server of files. */
async function serving(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  return await listen((request, response) => {
    const content = files[decodeURIComponent(request.url ?? '')];
    if (content === undefined) response.writeHead(404).end();
    else response.end(content);
  });
}

const schema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
const digestOf = (content: string | Buffer): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;

describe('a well-known index', () => {
  const zip = zipOf([
    { name: 'SKILL.md', content: skillText('two') },
    { name: 'run.sh', content: 'echo', mode: 0o100755 },
  ]);
  const place = '/.well-known/agent-skills';
  const entries = [
    {
      name: 'one',
      type: 'skill-md',
      description: 'One.',
      url: `${place}/one/SKILL.md`,
      digest: digestOf(skillText('one')),
    },
    { name: 'two', type: 'archive', description: 'Two.', url: 'two.zip', digest: digestOf(zip) },
  ];
  const files = { [`${place}/one/SKILL.md`]: skillText('one'), [`${place}/two.zip`]: zip };
  const indexOf = (skills: readonly object[], more: object = { $schema: schema }): string =>
    JSON.stringify({ ...more, skills });

  it('gives its skills, each with the digest that it states', async () => {
    const base = await serving({
      ...files,
      [`${place}/index.json`]: indexOf([...entries, { name: 'later', type: 'hologram' }]),
    });
    const fetcher = new Fetcher();
    const { folder, skills, refused, origin } = await fetcher.fetch(base);
    expect(filesIn(folder)).toEqual({
      'one/SKILL.md': skillText('one'),
      'two/SKILL.md': skillText('two'),
      'two/run.sh': 'echo',
    });
    expect(refused).toEqual([]);
    expect(origin).toMatchObject({
      kind: 'well-known',
      source: `well-known:${base}`,
      url: `${base}${place}/index.json`,
    });
    expect(skills).toMatchObject([
      { name: 'one', path: 'one', digest: digestOf(skillText('one')), origin: { path: 'one' } },
      { name: 'two', path: 'two', digest: digestOf(zip), origin: { path: 'two' } },
    ]);
    const [one] = skills;
    expect(compareOrigins(one?.origin ?? origin, await fetcher.newest(base, { pinned: one?.origin }))).toBe('same');
    const again = await fetcher.fetch(base, { pinned: one?.origin });
    expect(again.skills.map(({ name }) => name)).toEqual(['one']);
    expect((await fetcher.fetch(base, { only: ['two'] })).skills.map(({ name }) => name)).toEqual(['two']);
  });

  it('gives what has the digest it states, and refuses the rest', async () => {
    const bad = [
      { name: 'changed', type: 'skill-md', url: `${place}/one/SKILL.md`, digest: digestOf('other') },
      { name: 'unproven', type: 'skill-md', url: `${place}/one/SKILL.md` },
      { name: '../out', type: 'skill-md', url: `${place}/one/SKILL.md`, digest: digestOf(skillText('one')) },
      { name: 'gone', type: 'archive', url: `${place}/gone.zip`, digest: digestOf('') },
      { name: 'local', type: 'archive', url: 'file:///etc/passwd', digest: digestOf('') },
    ];
    const base = await serving({ ...files, [`${place}/index.json`]: indexOf([...bad, ...entries]) });
    const { skills, refused } = await new Fetcher().fetch(base);
    expect(skills.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(refused.map(({ name, reason }) => [name, reason.replace(/^.*: /, '')])).toEqual([
      ['changed', 'its content does not have the digest that the index states'],
      ['unproven', 'the index states no digest of it'],
      ['../out', 'this is not the name of a skill'],
      ['gone', 'the server answers with 404'],
      ['local', 'file is not used'],
    ]);
  });

  it('may be of the first version, with files and no digests', async () => {
    const old = '/.well-known/skills';
    const base = await serving({
      [`${old}/index.json`]: indexOf(
        [
          { name: 'one', files: ['SKILL.md', 'docs/a b.md'] },
          { name: 'out', files: ['SKILL.md', '../one/SKILL.md'] },
        ],
        {},
      ),
      [`${old}/one/SKILL.md`]: skillText('one'),
      [`${old}/one/docs/a b.md`]: 'text',
    });
    const { folder, skills, refused } = await new Fetcher().fetch(`${base}${old}/index.json`);
    expect(filesIn(folder)).toEqual({ 'one/SKILL.md': skillText('one'), 'one/docs/a b.md': 'text' });
    expect(skills).toMatchObject([{ name: 'one', origin: { integrity: expect.stringMatching(/^sha256-/) } }]);
    expect(refused).toMatchObject([{ name: 'out', reason: expect.stringContaining('its name leads out') }]);
  });

  it.each([
    ['{', 'its index is not JSON'],
    [indexOf(entries, { $schema: 'https://example.org/9.9' }), 'is in a format that is not known'],
    ['{"skills":[{"name":5}]}', 'its index is wrong: skills[0].name must be a string'],
    [indexOf([]), 'the index has no such skill'],
    [
      JSON.stringify({ skills: Array.from({ length: 10_001 }, () => ({ name: 'a' })) }),
      'lists more than 10,000 skills',
    ],
    ['x'.repeat(5 * 1024 ** 2), 'larger than 4 MB'],
  ])('is refused where it is wrong: %.40s', async (content, reason) => {
    const base = await serving({ [`${place}/index.json`]: content });
    expect((await new Fetcher().refusal(base)).message).toContain(reason);
  });

  it('is missed where there is none', async () => {
    expect(await new Fetcher().refusal(await serving({}))).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('has no index of skills'),
    });
  });
});

describe('a server elsewhere', () => {
  it('has us ask nothing of this machine: not by a redirect, an index or a marketplace', async () => {
    let asked = 0;
    const here = await listen((_, response) => {
      asked++;
      response.end(archive);
    });
    const digest = digestOf(archive);
    const plugins = [
      { name: 'archive', source: { source: 'archive', url: `${here}/one.zip` } },
      { name: 'git', source: { source: 'git', url: `${here}/one.git` } },
    ];
    const pages: Readonly<Record<string, string>> = {
      '/.well-known/agent-skills/index.json': JSON.stringify({
        $schema: schema,
        skills: [{ name: 'one', type: 'archive', url: `${here}/one.zip`, digest }],
      }),
      '/marketplace.json': JSON.stringify({ plugins }),
    };
    const local = await listen(({ url = '' }, response) => {
      if (url === '/moved.zip') response.writeHead(302, { location: `${here}/one.zip` }).end();
      else response.writeHead(url in pages ? 200 : 404).end(pages[url]);
    });
    // This address leads here as well, and is not known to.
    const elsewhere = local.replace('127.0.0.1', '0.0.0.0');
    const context = { plainHttp: true };
    const reasons = [
      await new Fetcher().refusal(`${elsewhere}/moved.zip`, context),
      await new Fetcher().refusal(`well-known:${elsewhere}`, context),
      await new Fetcher().refusal(`marketplace:${elsewhere}/marketplace.json`, context),
      await new Fetcher().refusal(`plugin:git@${elsewhere}/marketplace.json`, context),
    ];
    expect(reasons.map(({ message }) => message)).toEqual(
      reasons.map(() => expect.stringContaining('this machine itself')),
    );
    expect(asked).toBe(0);
  });
});
