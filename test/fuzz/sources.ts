import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Environment } from '../../src/core/environment.ts';
import { SkillError } from '../../src/core/errors.ts';
import { extractArchive } from '../../src/get/sources/archives/archive.ts';
import { usualLimits } from '../../src/get/sources/limits.ts';
import { problemWithPath } from '../../src/get/sources/names.ts';
import { parseSource } from '../../src/get/sources/parse.ts';
import { Placer, refusal } from '../../src/get/sources/placer.ts';
import { fetchSource } from '../../src/get/sources/sources.ts';
import { type TarEntry, tarOf, type ZipEntry, zipOf } from '../get/support/archives.ts';
import { json } from './shapes/json.ts';
import { inFolder, type Target } from './target.ts';

/** Limits that an input can reach. */
const limits = { ...usualLimits, entries: 200, bytes: 1024 ** 2, fileBytes: 512 * 1024, ratioFrom: 256 * 1024 };

/** An input describes an archive, and bytes of it to change; one that describes none is taken for an archive itself. */
function archiveFrom(input: Buffer, make: (described: Described) => Buffer): Buffer {
  try {
    const described = JSON.parse(input.toString('utf8')) as Described;
    const bytes = make({
      ...described,
      entries: described.entries.filter((entry) => typeof entry === 'object' && entry !== null),
    });
    for (const [at, value] of described.changes ?? []) {
      if (Number.isInteger(at) && Number.isInteger(value)) bytes[at % bytes.length] = value;
    }
    return bytes;
  } catch {
    return input;
  }
}

interface Described {
  readonly entries: readonly (TarEntry & ZipEntry)[];
  readonly changes?: readonly (readonly [number, number])[];
  readonly gzip?: boolean;
  readonly before?: string;
  readonly gap?: string;
  readonly after?: string;
  readonly comment?: string;
}

async function extract(bytes: Buffer, folder: string): Promise<string> {
  const file = join(folder, 'archive');
  writeFileSync(file, bytes);
  const files = join(folder, 'files');
  const onProblem = ({ path, reason }: { path: string; reason: string }): never => {
    throw refusal('archive', path, reason);
  };
  try {
    await extractArchive(file, new Placer(files, { what: 'archive', limits, onProblem }), limits);
    return JSON.stringify(contents(files));
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    assert.match(error.message, /^archive: refused/);
    return error.message.replace(/"(?:[^"\\]|\\.)*"/g, '').slice(0, 80);
  } finally {
    // Nothing lies beside what was extracted, and nothing of it is a link.
    assert.deepEqual(readdirSync(folder).sort(), ['archive', 'files']);
    contents(files);
    rmSync(files, { recursive: true });
  }
}

/** Every file with its size: all of them regular, with names that are safe everywhere, within the limits. */
function contents(folder: string): readonly (readonly [string, number])[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  assert.ok(names.length <= limits.entries);
  const found = names.map((name): [string, number] => {
    const stats = lstatSync(join(folder, name));
    assert.ok(stats.isFile() || stats.isDirectory(), `${name} is neither a file nor a folder`);
    assert.equal(stats.mode & 0o7000, 0, `${name} has more rights than it may have`);
    assert.equal(problemWithPath(name, limits), null, `${name} was placed`);
    return [name, stats.isFile() ? readFileSync(join(folder, name)).length : 0];
  });
  assert.ok(found.reduce((sum, [, size]) => sum + size, 0) <= limits.bytes);
  return found;
}

function archiveTarget(make: (described: Described) => Buffer): Target {
  return {
    inputs: 24_000,
    isSteady: true,
    shape: json,
    words: [
      ...[
        '"../x"',
        '"/x"',
        '"a/../b"',
        '".git/config"',
        '"a\\\\b"',
        '"CON"',
        '"a."',
        '"A"',
        '"\\u202e"',
        '"e\\u0301"',
        '"\\u00e9"',
      ],
      ...[
        '"type":"1"',
        '"type":"2"',
        '"type":"5"',
        '"type":"L"',
        '"type":"x"',
        '"type":"g"',
        '"target":".."',
        '"mode":41471',
      ],
      ...[
        '"size":99999',
        '"changes":[[156,51]]',
        '"10 path=x\\n"',
        '"flags":8',
        '"method":0',
        '"says":{"at":0}',
        '"after":"PK"',
      ],
    ],
    open: inFolder(async (input, environment) => {
      const bytes = archiveFrom(input, make);
      const folder = mkdtempSync(join(environment.cwd, 'archive-'));
      try {
        const outcome = await extract(bytes, folder);
        assert.equal(await extract(bytes, folder), outcome, 'another reading gives another result');
        return outcome.startsWith('[') ? `placed ${outcome.length % 50}` : outcome;
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
  };
}

export const tar = archiveTarget(({ entries, gzip }) => (gzip ? gzipSync(tarOf(entries)) : tarOf(entries)));

export const zip = archiveTarget(({ entries, before, gap, after, comment }) =>
  zipOf(entries, {
    ...(typeof before === 'string' && { before }),
    ...(typeof gap === 'string' && { gap }),
    ...(typeof after === 'string' && { after }),
    ...(typeof comment === 'string' && { comment }),
  }),
);

export const source: Target = {
  inputs: 1_000_000,
  isSteady: true,
  words: [
    ...[
      'https://',
      'ssh://',
      'git@',
      'file://',
      'npm:',
      'marketplace:',
      'plugin:a@',
      'well-known:',
      'mcp+https://',
      'ext::',
      'git+',
    ],
    ...[
      '.git',
      '/tree/',
      '/-/blob/',
      '/src/branch/',
      '.zip',
      '.tar.gz',
      '.skill',
      'marketplace.json',
      '/.well-known/skills/',
    ],
    ...[
      '#',
      '@',
      '../',
      './',
      '~/',
      '--upload-pack=',
      '-o',
      'ann:s3cret@',
      '?token=s3cret',
      '%2e%2e',
      '%00',
      '\\',
      '\0',
      '\n',
      '^1.0',
    ],
  ],
  open: inFolder(async (input, environment) => readSource(input.toString('utf8'), environment)),
};

/** A source is understood in one way, and keeps to itself what is secret. */
function readSource(text: string, environment: Environment): string {
  try {
    const read = parseSource(text, environment);
    assert.doesNotMatch(read.text, /^[^/]*\/\/[^/@\s]*s3cret[^/@\s]*@/, 'a password is shown');
    assert.doesNotMatch(read.place, /^-/, 'a place begins like an option');
    const unsafe = read.kind === 'npm' ? /^-|[:/\0\n]/ : /^-|\.\.|[\s\0:]/;
    assert.doesNotMatch(read.ref ?? '', unsafe, `the ref ${read.ref} is not safe`);
    for (const path of [read.path, read.refAndPath]) assert.equal(problemWithPath(path ?? '', usualLimits), null);
    const again = parseSource(read.text, environment);
    assert.equal(again.text, read.text, 'the canonical spelling has another one');
    assert.equal(again.kind, read.kind, 'the canonical spelling means something else');
    return `${read.kind} ${Object.keys(read).join(' ')}`;
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    assert.equal(error.code, 'usage');
    return `refused ${error.message
      .split(': ')
      .at(-1)
      ?.replace(/"[^"]*"?/g, '')
      .slice(0, 24)}`;
  }
}

/** The text of a skill that lies beside a marketplace, and in none of its plugins. */
const apart = 'Beside the marketplace.';

/** The file of a marketplace, which says where its plugins lie. The network is not used. */
export const marketplace: Target = {
  inputs: 8_000,
  isSteady: true,
  shape: json,
  words: [
    ...[
      '"plugins"',
      '"name":"a"',
      '"source":"./plugins/a"',
      '"source":"../.."',
      '"source":"/etc"',
      '"pluginRoot":".."',
    ],
    ...[
      '"skills":["../../x"]',
      '"source":{"source":"git","url":"file:///etc"}',
      '"source":{"source":"local","path":".."}',
    ],
    ...['"source":{"source":"archive","url":"http://127.0.0.1/x"}', '"strict":false', '"__proto__"', '"name":".."'],
  ],
  open: inFolder(
    async (input, environment) => {
      writeFileSync(join(environment.cwd, 'market/.claude-plugin/marketplace.json'), input);
      try {
        const source = parseSource('marketplace:./market', environment);
        const fetched = await fetchSource(source, { environment, offline: true, limits });
        const placed = fetched.skills.length === 0 ? [] : contents(fetched.folder);
        for (const { path } of fetched.skills) {
          const file = join(path, 'SKILL.md');
          assert.ok(placed.some(([name]) => name === file));
          // A plugin may be called anything, such as the name of the folder beside it.
          const text = readFileSync(join(fetched.folder, file), 'utf8');
          assert.ok(!text.includes(apart), 'a plugin has what lies beside the marketplace');
        }
        await fetched.dispose();
        return `${fetched.skills.length} ${fetched.refused.length}`;
      } catch (error) {
        if (!(error instanceof SkillError)) throw error;
        return error.message
          .replace(/^[^:]*: /, '')
          .replace(/"(?:[^"\\]|\\.)*"/g, '')
          .slice(0, 30);
      }
    },
    ({ cwd }) => {
      const skill = '---\nname: one\ndescription: One.\n---\n';
      const files = {
        'secret/SKILL.md': `${skill}${apart}\n`,
        'market/plugins/a/skills/one/SKILL.md': skill,
        'market/skills/two/SKILL.md': skill,
        'market/.claude-plugin/marketplace.json': '',
      };
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(cwd, file)), { recursive: true });
        writeFileSync(join(cwd, file), text);
      }
    },
  ),
};
