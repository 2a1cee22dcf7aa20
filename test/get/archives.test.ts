import { execFileSync } from 'node:child_process';
import { statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { paxOf, skillText, type TarEntry, tarEntry, tarOf, tgzOf, type ZipEntry, zipOf } from './support/archives.ts';
import { Fetcher, filesIn } from './support/fetching.ts';

const skill = skillText('one');

/** The same entries in both forms. */
interface Both {
  readonly name: string;
  readonly content?: string;
  readonly link?: string;
}

const forms: readonly (readonly [string, (entries: readonly Both[]) => Buffer])[] = [
  [
    'one.tar.gz',
    (entries) =>
      tgzOf(
        entries.map(({ name, content, link }) =>
          link === undefined ? { name, ...(content !== undefined && { content }) } : { name, type: '2', target: link },
        ),
      ),
  ],
  [
    'one.zip',
    (entries) =>
      zipOf(
        entries.map(({ name, content, link }) =>
          link === undefined
            ? { name, ...(content !== undefined && { content }) }
            : { name, content: link, mode: 0o120777 },
        ),
      ),
  ],
];

/** Entries that no archive may have, and what is said of them. */
const hostile: readonly (readonly [string, readonly Both[], string])[] = [
  ['a path that leads out', [{ name: '../evil' }], '"../evil": its name leads out'],
  ['a path that leads out in its middle', [{ name: 'a/../../evil' }], 'its name leads out'],
  ['an absolute path', [{ name: '/etc/evil' }], '"/etc/evil": its name is absolute'],
  ['a path as Windows writes it', [{ name: '..\\evil' }], 'a character that Windows does not allow'],
  ['a drive of Windows', [{ name: 'C:/evil' }], 'a character that Windows does not allow'],
  ['a device of Windows', [{ name: 'a/NUL.txt' }], '"a/NUL.txt": its name is that of a device'],
  ['a dot at the end of a name', [{ name: 'a./b' }], 'ends with a dot or a space'],
  ['a stream of NTFS', [{ name: 'a::$DATA' }], 'a character that Windows does not allow'],
  ['hidden characters', [{ name: 'a\u202eb' }], 'hidden characters'],
  ['an escape sequence', [{ name: 'a\u001b[2J' }], 'hidden characters'],
  ['two names that differ in case', [{ name: 'Readme.md' }, { name: 'README.md' }], 'it cannot lie beside "Readme.md"'],
  ['two folders that differ in case', [{ name: 'Docs/a' }, { name: 'docs/b' }], 'it cannot lie beside "Docs"'],
  ['two spellings of one character', [{ name: 'caf\u00e9' }, { name: 'cafe\u0301' }], 'it cannot lie beside'],
  ['one name twice', [{ name: 'a' }, { name: 'a' }], '"a": it occurs twice'],
  ['a file that is a folder too', [{ name: 'a' }, { name: 'a/b' }], '"a": it is a file and a folder at once'],
  ['a Git folder', [{ name: '.git/hooks/post-checkout' }], 'it is Git’s own'],
  ['a Git folder in other letters', [{ name: 'a/.GiT/config' }], 'it is Git’s own'],
  ['a Git folder by its short name', [{ name: 'git~1/config' }], 'it is Git’s own'],
  [
    'a folder that is a Git repository by what it holds',
    [{ name: 'a/HEAD' }, { name: 'a/config' }, { name: 'a/objects/x' }, { name: 'a/refs/x' }],
    '"a/refs": it makes its folder a Git repository',
  ],
  [
    'a Git repository whose parts lie elsewhere',
    [{ name: 'head' }, { name: 'commondir' }],
    '"commondir": it makes its folder a Git repository',
  ],
  ['a link to an absolute path', [{ name: 'x', link: '/etc/passwd' }], '"x": the link leads out, to "/etc/passwd"'],
  ['a link out', [{ name: 'a/x', link: '../../secret' }], '"a/x": the link leads out'],
  [
    'a link out by way of another',
    [
      { name: 'a', link: '.' },
      { name: 'b', link: 'a/../../x' },
    ],
    'the link leads',
  ],
  ['a file through a link', [{ name: 'a', link: 'b' }, { name: 'a/x' }], '"a": it is a file and a folder at once'],
  [
    'links in a circle',
    [
      { name: 'a', link: 'b' },
      { name: 'b', link: 'a' },
    ],
    'the link leads in a circle',
  ],
  ['a link to its own folder', [{ name: 'a/b/up', link: '..' }], 'the link leads in a circle'],
  ['too many folders in each other', [{ name: `${'d/'.repeat(40)}f` }], 'it lies more than 32 folders deep'],
  ['a name that is too long', [{ name: 'n'.repeat(256) }], 'its name is longer than 255 bytes'],
  ['a path that is too long', [{ name: `${'n'.repeat(200)}/`.repeat(6) }], 'its path is longer than 1000 bytes'],
];

describe.each(forms)('%s', (file, make) => {
  it.each(hostile)('is refused with %s', async (_, entries, reason) => {
    const fetcher = new Fetcher();
    // Names of more than 100 bytes need a header of their own in a tar archive.
    if (file.endsWith('.gz') && entries.some(({ name }) => Buffer.byteLength(name) > 100)) {
      fetcher.put(
        file,
        tgzOf([
          { name: 'SKILL.md', content: skill },
          ...entries.flatMap(({ name }) => [paxOf({ path: name }), { name: 'short' }]),
        ]),
      );
    } else fetcher.put(file, make([{ name: 'SKILL.md', content: skill }, ...entries]));
    const { message, code } = await fetcher.refusal(`./${file}`);
    expect(message).toContain(reason);
    expect(message).toContain(`./${file}: refused because of `);
    expect(code).toBe('unreadable');
  });

  it('gives its files, with links replaced by what they lead to', async () => {
    const fetcher = new Fetcher();
    fetcher.put(
      file,
      make([
        { name: 'top/one/SKILL.md', content: skill },
        { name: 'top/one/notes.txt', link: '../shared/notes.txt' },
        { name: 'top/one/more', link: '../shared' },
        { name: 'top/shared/notes.txt', content: 'notes' },
        { name: 'top/shared/again', link: 'notes.txt' },
        { name: 'top/one/nowhere', link: 'missing' },
      ]),
    );
    const fetched = await fetcher.fetch(`./${file}`);
    expect(filesIn(fetched.folder)).toEqual({
      'top/one/SKILL.md': skill,
      'top/one/notes.txt': 'notes',
      'top/one/more/notes.txt': 'notes',
      'top/one/more/again': 'notes',
      'top/shared/notes.txt': 'notes',
      'top/shared/again': 'notes',
    });
    expect(fetched.skills).toMatchObject([
      { name: 'one', path: 'top/one', origin: { kind: 'archive', path: 'top/one' } },
    ]);
    expect(fetched.origin.integrity).toMatch(/^sha256-.{44}$/);
    await fetched.dispose();
    expect(fetcher.left()).toEqual([]);
  });

  it('is refused where links would multiply its files', async () => {
    const levels = Array.from({ length: 20 }, (_, at) => [
      { name: `l${at + 1}/a`, link: `../l${at}` },
      { name: `l${at + 1}/b`, link: `../l${at}` },
    ]);
    const fetcher = new Fetcher();
    fetcher.put(file, make([{ name: 'SKILL.md', content: skill }, { name: 'l0/x', content: 'x' }, ...levels.flat()]));
    expect((await fetcher.refusal(`./${file}`, { limits: { entries: 5000 } })).message).toContain(
      'more than 5,000 files and folders',
    );
  });

  it('is refused with more files or bytes than there may be', async () => {
    const fetcher = new Fetcher();
    fetcher.put(
      file,
      make([
        { name: 'SKILL.md', content: skill },
        ...Array.from({ length: 200 }, (_, at) => ({ name: `f${at}`, content: 'x'.repeat(100) })),
      ]),
    );
    expect((await fetcher.refusal(`./${file}`, { limits: { entries: 100 } })).message).toContain(
      'more than 100 files and folders',
    );
    expect((await fetcher.refusal(`./${file}`, { limits: { bytes: 10_000 } })).message).toContain(
      'larger than 9.77 kB together',
    );
    expect((await fetcher.refusal(`./${file}`, { limits: { fileBytes: 99 } })).message).toContain(
      'the file is larger than 99 bytes',
    );
  });

  it('is refused where it grows beyond all measure', async () => {
    const fetcher = new Fetcher();
    fetcher.put(
      file,
      make([
        { name: 'SKILL.md', content: skill },
        { name: 'zeros', content: '\0'.repeat(20 * 1024 * 1024) },
      ]),
    );
    expect((await fetcher.refusal(`./${file}`)).message).toContain('the archive grows to more than 100 times its size');
  });

  it('is refused where it is cut off anywhere', async () => {
    const whole = make([
      { name: 'SKILL.md', content: skill },
      { name: 'a/b', content: 'text '.repeat(2000) },
    ]);
    const fetcher = new Fetcher();
    for (const length of [20, Math.floor(whole.length / 2), whole.length - 5]) {
      fetcher.put(file, whole.subarray(0, length));
      expect((await fetcher.refusal(`./${file}`)).code).toMatch(/unreadable|not-found/);
    }
  });
});

describe('a tar archive', () => {
  const strange: readonly (readonly [string, readonly TarEntry[], string])[] = [
    ['a hard link out', [{ name: 'x', type: '1', target: '../secret' }], '"x": the link leads out'],
    ['an absolute hard link', [{ name: 'x', type: '1', target: '/etc/passwd' }], '"x": the link leads out'],
    ['a device', [{ name: 'x', type: '3' }], '"x": it is a device'],
    ['a block device', [{ name: 'x', type: '4' }], '"x": it is a device'],
    ['a named pipe', [{ name: 'x', type: '6' }], '"x": it is a named pipe'],
    ['a sparse file', [{ name: 'x', type: 'S' }], 'it is a sparse file'],
    ['a kind nobody knows', [{ name: 'x', type: 'Z' }], 'it is of an unknown kind ("Z")'],
    [
      'a long name that leads out',
      [{ name: '././@LongLink', type: 'L', content: '../evil\0' }, { name: 'x' }],
      '"../evil": its name leads out',
    ],
    ['a record that leads out', [paxOf({ path: '../evil' }), { name: 'x' }], '"../evil": its name leads out'],
    ['a record for all entries', [paxOf({ path: 'evil' }, 'g'), { name: 'x' }], 'renames all entries'],
    ['a record of a sparse file', [paxOf({ 'GNU.sparse.major': '1' }), { name: 'x' }], 'sparse'],
    [
      'a folder with content',
      [{ name: 'x/', type: '5', content: 'hidden' }],
      '"x/": it is not a file, and has content',
    ],
    [
      'a size beyond its end',
      [{ name: 'x', content: 'abc', size: 8 ** 10 }],
      '"x": the archive ends in the middle of it',
    ],
  ];

  it.each(strange)('is refused with %s', async (_, entries, reason) => {
    const fetcher = new Fetcher();
    fetcher.put('one.tgz', tgzOf([{ name: 'SKILL.md', content: skill }, ...entries]));
    expect((await fetcher.refusal('./one.tgz')).message).toContain(reason);
  });

  it('is refused with a second archive after its end', async () => {
    const fetcher = new Fetcher();
    fetcher.put(
      'one.tgz',
      gzipSync(Buffer.concat([tarOf([{ name: 'SKILL.md', content: skill }]), tarEntry({ name: 'evil' })])),
    );
    expect((await fetcher.refusal('./one.tgz')).message).toContain('there is data after the end');
    fetcher.put('one.tgz', Buffer.concat([tgzOf([{ name: 'SKILL.md', content: skill }]), Buffer.from('more')]));
    expect((await fetcher.refusal('./one.tgz')).message).toContain('data after its end');
  });

  it('keeps hard links as copies, and of the permissions only that a file may be executed', async () => {
    const fetcher = new Fetcher();
    fetcher.put(
      'one.tgz',
      tgzOf([
        { name: './', type: '5', mode: 0o7777 },
        { name: './SKILL.md', content: skill, mode: 0o4644 },
        { name: './run.sh', content: 'echo', mode: 0o6755 },
        { name: './same.sh', type: '1', target: './run.sh' },
        paxOf({ comment: 'a commit' }, 'g'),
      ]),
    );
    const { folder, skills } = await fetcher.fetch('./one.tgz');
    expect(filesIn(folder)).toEqual({ 'SKILL.md': skill, 'run.sh': 'echo', 'same.sh': 'echo' });
    expect(skills).toMatchObject([{ name: 'one', path: '' }]);
    expect(statSync(join(folder, 'SKILL.md')).mode & 0o7111).toBe(0);
    expect(statSync(join(folder, 'run.sh')).mode & 0o7100).toBe(0o100);
    expect(statSync(join(folder, 'same.sh')).mode & 0o7100).toBe(0o100);
  });

  it('is read as the system’s own tar writes it, with long names', async () => {
    const fetcher = new Fetcher();
    const long = `one/${'long-'.repeat(30)}/${'name-'.repeat(30)}.txt`;
    fetcher.put('one/SKILL.md', skill);
    fetcher.put(long, 'far');
    symlinkSync('SKILL.md', join(fetcher.world.project, 'one/link.md'));
    for (const format of ['gnu', 'pax']) {
      execFileSync('tar', [`--format=${format}`, '-czf', 'one.tar.gz', 'one'], { cwd: fetcher.world.project });
      const { folder, dispose } = await fetcher.fetch('./one.tar.gz');
      expect(filesIn(folder)).toEqual({ 'one/SKILL.md': skill, 'one/link.md': skill, [long]: 'far' });
      await dispose();
    }
  });
});

describe('a ZIP archive', () => {
  const first = { name: 'SKILL.md', content: skill };
  const strange: readonly (readonly [string, Buffer, string])[] = [
    ['data before its first entry', zipOf([first], { before: 'MZ evil' }), 'neither a ZIP archive'],
    ['data after its end', zipOf([first], { after: 'more' }), 'there is data after the end'],
    [
      'data between its entries',
      zipOf([first, { name: 'a' }], { gap: 'hidden data' }),
      'there is hidden data after it',
    ],
    ['another archive in front', Buffer.concat([zipOf([first]), zipOf([first])]), 'does not lie before the end'],
    ['two ends', zipOf([first], { comment: `PK\u0005\u0006${'\u0000'.repeat(18)}and more` }), 'or it has two ends'],
    [
      'entries that overlap',
      zipOf([first, { name: 'a', content: 'a' }, { name: 'a', content: 'a', says: { at: 0 } }]),
      'overlap',
    ],
    [
      'two descriptions that differ in the name',
      zipOf([first, { name: 'a', says: { name: 'b' } }]),
      '"b": its own header says something else',
    ],
    [
      'two descriptions that differ in size',
      zipOf([first, { name: 'a', content: 'abc', says: { size: 2 } }]),
      'its own header says something else',
    ],
    [
      'a content that is larger than it says',
      zipOf([first, { name: 'a', flags: 8, content: 'abc', says: { size: 2 } }]),
      'it is larger than the archive says',
    ],
    [
      'a content that was changed',
      zipOf([first, { name: 'a', content: 'abc', sent: deflateRawSync(Buffer.from('abd')) }]),
      'its content is damaged',
    ],
    [
      'data after a content',
      zipOf([
        first,
        { name: 'a', content: 'abc', sent: Buffer.concat([deflateRawSync(Buffer.from('abc')), Buffer.from('hidden')]) },
      ]),
      'there is hidden data after its content',
    ],
    ['an encrypted entry', zipOf([first, { name: 'a', flags: 1 }]), '"a": it is encrypted'],
    ['a named pipe', zipOf([first, { name: 'a', mode: 0o010644 }]), '"a": it is a device, a pipe or a socket'],
    ['fewer entries than it lists', zipOf([first, { name: 'a' }], { count: 1 }), 'the list of entries is longer'],
    ['more entries than it lists', zipOf([first], { count: 2 }), 'the list of entries is damaged'],
    [
      'a folder with content',
      zipOf([first, { name: 'a/', content: 'hidden' }]),
      '"a/": it is not a file, and has content',
    ],
  ];

  it.each(strange)('is refused with %s', async (_, bytes, reason) => {
    const fetcher = new Fetcher();
    fetcher.put('one.zip', bytes);
    expect((await fetcher.refusal('./one.zip')).message).toContain(reason);
  });

  it('is read as the usual programs write it, also as a stream, and under the name .skill', async () => {
    const fetcher = new Fetcher();
    fetcher.put('one/SKILL.md', skill);
    fetcher.put('one/dir/é.txt', 'text');
    const expected = { 'one/SKILL.md': skill, 'one/dir/é.txt': 'text' };
    const made = [
      'zip -qr one.skill one',
      'rm one.skill; zip -qr - one | cat > one.skill',
      "python3 -c \"import shutil; shutil.make_archive('one', 'zip', '.', 'one')\" && mv one.zip one.skill",
    ];
    for (const command of made) {
      execFileSync('sh', ['-c', command], { cwd: fetcher.world.project });
      const { folder, skills, dispose } = await fetcher.fetch('one.skill');
      expect(filesIn(folder)).toEqual(expected);
      expect(skills).toMatchObject([{ name: 'one', path: 'one' }]);
      await dispose();
    }
  });

  it('holds entries that are stored as they are', async () => {
    const fetcher = new Fetcher();
    const inner = zipOf([first]);
    const entries: readonly ZipEntry[] = [
      { ...first, method: 0 },
      { name: 'empty', method: 0 },
      { name: 'dir/' },
      { name: 'inner.zip', method: 0, content: inner },
    ];
    fetcher.put('one.zip', zipOf(entries, { comment: 'made by hand' }));
    const files = filesIn((await fetcher.fetch('./one.zip')).folder);
    expect(files).toEqual({ 'SKILL.md': skill, empty: '', 'inner.zip': inner.toString('utf8') });
  });
});

it('refuses what is no archive, whatever it is called', async () => {
  const fetcher = new Fetcher();
  fetcher.put('one.zip', 'text');
  expect((await fetcher.refusal('./one.zip')).message).toContain('neither a ZIP archive nor a tar archive');
  expect((await fetcher.refusal('./two.zip')).message).toBe('./two.zip: there is no such file');
});

it('says so where an archive has no skill', async () => {
  const fetcher = new Fetcher();
  fetcher.put('one.tgz', tgzOf([{ name: 'README.md' }]));
  expect(await fetcher.refusal('./one.tgz')).toMatchObject({
    code: 'not-found',
    message: expect.stringContaining('there is no skill'),
  });
});

it('refuses other bytes than were recorded', async () => {
  const fetcher = new Fetcher();
  fetcher.put('one.tgz', tgzOf([{ name: 'SKILL.md', content: skill }]));
  const { origin } = await fetcher.fetch('./one.tgz');
  await (await fetcher.fetch('./one.tgz', { pinned: origin })).dispose();
  fetcher.put('one.tgz', tgzOf([{ name: 'SKILL.md', content: `${skill}evil` }]));
  const outcome = fetcher.fetch('./one.tgz', { pinned: origin });
  await expect(outcome).rejects.toThrow('is not what was recorded');
  expect((await fetcher.newest('./one.tgz')).integrity).not.toBe(origin.integrity);
});
