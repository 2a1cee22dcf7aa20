import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryPlace } from '../../../test/support/place.ts';
import { createWorld } from '../../../test/support/world.ts';
import { SkillError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { digestFiles, outsideNow, withOutside } from './digest.ts';

function put(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const skill = {
  'SKILL.md': '# x',
  'scripts/run.sh': 'echo',
  '.git/HEAD': 'ref',
  '.hidden': '',
  'a/__pycache__/x.pyc': 'x',
};

async function refusal(action: Promise<unknown>): Promise<SkillError> {
  const error: unknown = await action.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SkillError)) throw new Error('it was not refused');
  return error;
}

describe('the digest of a skill', () => {
  it('is of every file, hidden or not', async () => {
    const folder = put(temporaryPlace(), skill);
    symlinkSync('../outside', join(folder, 'link'));
    chmodSync(join(folder, 'scripts/run.sh'), 0o755);
    const { digest, files } = await digestFiles(folder);
    expect(digest).toMatch(/^sha256:[\da-f]{64}$/);
    expect(Object.keys(files)).toEqual([
      '.git/HEAD',
      '.hidden',
      'SKILL.md',
      'a/__pycache__/x.pyc',
      'link',
      'scripts/run.sh',
    ]);
    expect(files['SKILL.md']).toBe(`sha256:${sha256('# x')}`);
    expect(files['scripts/run.sh']).toBe(`sha256:${sha256('echo')} executable`);
    expect(files['link']).toBe('link:../outside');
  });

  it('is the same for a copy elsewhere', async () => {
    const place = temporaryPlace();
    put(join(place, 'one'), skill);
    cpSync(join(place, 'one'), join(place, 'two'), { recursive: true });
    expect(await digestFiles(join(place, 'two'))).toEqual(await digestFiles(join(place, 'one')));
  });

  const changes: Readonly<Record<string, (folder: string) => void>> = {
    'one byte': (folder) => writeFileSync(join(folder, 'scripts/run.sh'), 'ecHo'),
    'one byte, with its times put back': (folder) => {
      const file = join(folder, 'scripts/run.sh');
      const { atime, mtime } = statSync(file);
      writeFileSync(file, 'ecHo');
      utimesSync(file, atime, mtime);
    },
    'the mode of a file': (folder) => chmodSync(join(folder, 'scripts/run.sh'), 0o755),
    'the name of a file': (folder) => renameSync(join(folder, '.hidden'), join(folder, '.hidden2')),
    'the name of a folder': (folder) => renameSync(join(folder, 'scripts'), join(folder, 'script')),
    'a file more': (folder) => writeFileSync(join(folder, 'a/new'), ''),
    'a file more in .git': (folder) => writeFileSync(join(folder, '.git/new'), ''),
    'a file less': (folder) => rmSync(join(folder, '.hidden')),
    'a link for a file': (folder) => {
      const text = readFileSync(join(folder, '.hidden'), 'utf8');
      writeFileSync(join(folder, '../elsewhere'), text);
      rmSync(join(folder, '.hidden'));
      symlinkSync('../elsewhere', join(folder, '.hidden'));
    },
    'a FIFO for a file': (folder) => {
      rmSync(join(folder, '.hidden'));
      execFileSync('mkfifo', [join(folder, '.hidden')]);
    },
  };
  it.each(Object.entries(changes))('changes with %s', async (_, change) => {
    const folder = put(join(temporaryPlace(), 'skill'), skill);
    const before = await digestFiles(folder);
    await new Promise((resolve) => setTimeout(resolve, 50)); // for a cache to trust what it knows
    expect(await digestFiles(folder)).toEqual(before);
    change(folder);
    const after = await digestFiles(folder);
    expect(after.digest).not.toBe(before.digest);
    expect(after.files).not.toEqual(before.files);
  });

  it('changes with where a link leads', async () => {
    const folder = put(temporaryPlace(), skill);
    symlinkSync('one', join(folder, 'link'));
    const before = await digestFiles(folder);
    rmSync(join(folder, 'link'));
    symlinkSync('two', join(folder, 'link'));
    expect((await digestFiles(folder)).digest).not.toBe(before.digest);
  });

  it('does not follow links', async () => {
    const place = temporaryPlace();
    const folder = put(join(place, 'skill'), skill);
    put(join(place, 'other'), { file: 'x' });
    symlinkSync('../other', join(folder, 'out'));
    symlinkSync('.', join(folder, 'loop'));
    expect(Object.keys((await digestFiles(folder)).files)).toHaveLength(7);
  });

  it('includes files whose names have a special meaning to programs', async () => {
    const folder = put(temporaryPlace(), { __proto__x: '', constructor: '1', 'a b\n"c': '2' });
    writeFileSync(join(folder, '__proto__'), '3');
    expect(Object.keys((await digestFiles(folder)).files)).toEqual([
      '__proto__',
      '__proto__x',
      'a b\n"c',
      'constructor',
    ]);
  });

  it('is refused for a skill that is too large, and for names that are not text', async () => {
    const folder = put(temporaryPlace(), { a: 'xx', b: 'xx', 'c/d': 'xx' });
    expect(await refusal(digestFiles(folder, { entries: 3, bytes: 100 }))).toMatchObject({
      code: 'denied',
      message: expect.stringContaining('more than 3 files'),
      hint: expect.stringContaining('[capabilities]'),
    });
    expect(await refusal(digestFiles(folder, { entries: 10, bytes: 5 }))).toMatchObject({ code: 'denied' });
    expect(await digestFiles(folder, { entries: 4, bytes: 6 })).toBeTruthy();
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x61, 0xff])]), '');
    expect((await refusal(digestFiles(folder))).message).toContain('UTF-8');
  });

  it('is refused for a folder that does not exist', async () => {
    expect(await refusal(digestFiles('/nonexistent/skill'))).toMatchObject({ code: 'denied' });
  });
});

it('no two skills have the same digest', async () => {
  const place = temporaryPlace();
  let number = 0;
  const fresh = () => {
    const folder = join(place, String(number++));
    mkdirSync(folder);
    return folder;
  };
  const name = fc.stringMatching(/^[ab"\n,]{1,4}$/);
  const files = fc.dictionary(name, fc.constantFrom('', 'a', 'b'), { maxKeys: 3 });
  await fc.assert(
    fc.asyncProperty(files, files, async (one, other) => {
      const [a, b] = await Promise.all([one, other].map((each) => digestFiles(put(fresh(), each))));
      expect(a?.digest === b?.digest).toBe(JSON.stringify(a?.files) === JSON.stringify(b?.files));
    }),
    { numRuns: 60 },
  );
});

it.runIf(existsSync('/usr/bin/python3'))('sees a change that the times of the file do not show', async () => {
  const folder = put(temporaryPlace(), { 'run.sh': 'echo honest' });
  const script = [
    'import mmap, sys',
    'file = open(sys.argv[1], "r+b"); held = mmap.mmap(file.fileno(), 0)',
    'held[0:1] = held[0:1]; print("mapped", flush=True); sys.stdin.readline()',
    'held[5:11] = b"wicked"; print("changed", flush=True); sys.stdin.readline()',
  ].join('\n');
  const child = spawn('/usr/bin/python3', ['-c', script, join(folder, 'run.sh')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const heard = () => new Promise((resolve) => void child.stdout.once('data', resolve));
  await heard();
  await new Promise((resolve) => setTimeout(resolve, 100)); // its times are old enough for most purposes
  const before = await digestFiles(folder);
  const changed = heard();
  child.stdin.write('\n');
  await changed;
  expect(readFileSync(join(folder, 'run.sh'), 'utf8')).toBe('echo wicked');
  expect((await digestFiles(folder)).digest).not.toBe(before.digest);
});

it('a file outside of a skill is digested like one of its own', async () => {
  const world = createWorld();
  const skill = world.skill('project/skills/demo');
  const manifest = world.write('project/.skill-engine.toml', 'version = "1"\n');
  const alone = await digestFiles(skill);
  expect(withOutside(alone, {})).toBe(alone);
  const before = withOutside(alone, outsideNow({ [manifest]: '' }));
  expect(Object.keys(outsideNow(before.files))).toEqual([manifest]);
  expect(withOutside(alone, outsideNow(before.files))).toEqual(before);
  world.write('project/.skill-engine.toml', 'version = "2"\n');
  const after = withOutside(alone, outsideNow(before.files));
  expect(new Set([alone.digest, before.digest, after.digest]).size).toBe(3);
  expect(withOutside(alone, outsideNow({ [world.path('none.toml')]: '' })).digest).not.toBe(alone.digest);
});
