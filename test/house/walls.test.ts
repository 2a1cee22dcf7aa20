import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { casts, castsIn, readers, readersIn, rooms, type SourceFile, violationsIn } from './walls.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));

function sourceFiles(folder = source): SourceFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    if (!/\.tsx?$/.test(entry.name) || entry.name.endsWith('.test.ts')) return [];
    return [{ path: relative(source, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }];
  });
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

describe('the walls between rooms', () => {
  it('are crossed by no import', () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(50);
    expect(violationsIn(files)).toEqual([]);
  });

  it('exist for every folder of src/, of which there are at most twelve', () => {
    const folders = foldersIn(source);
    expect(folders.length).toBeLessThanOrEqual(12);
    const known = folders.flatMap((folder) =>
      folder in rooms ? [folder] : foldersIn(join(source, folder)).map((inner) => `${folder}/${inner}`),
    );
    expect([...known, 'core/config', 'agents/setup'].sort()).toEqual(Object.keys(rooms).sort());
  });

  it('allow fewer than thirty files in a folder', () => {
    const counts = new Map<string, number>();
    for (const { path } of sourceFiles()) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, files]) => files >= 30)).toEqual([]);
  });

  it.each([
    ['a room that reaches to its right', 'skill/parse.ts', "import { scan } from '../discovery/scan.ts';"],
    ['a room that reaches sideways', 'search/match.ts', "import { x } from '../registry/snapshot.ts';"],
    ['a lazy import', 'core/groups.ts', "const x = await import('../skill/name.ts');"],
    ['a type', 'core/groups.ts', "import type { Skill } from '../skill/types.ts';"],
    ['a package outside its room', 'discovery/scan.ts', "import { parse } from 'yaml';"],
    ['a package nobody chose', 'core/groups.ts', "import chalk from 'chalk';"],
    ['a child process', 'discovery/scan.ts', "import { spawn } from 'node:child_process';"],
    ['a part of Node taken by the back door', 'engine/engine.ts', "process.getBuiltinModule('node:vm')"],
    ['code that is meant for the server', 'ui/app.tsx', "import { version } from '../core/version.ts';"],
    ['what runs everywhere and needs what does not', 'core/text/text.ts', "import { version } from '../version.ts';"],
    ['a part of Node in a browser', 'ui/app.tsx', "import { join } from 'node:path';"],
    ['a file outside the source folder', 'faces/cli/main.ts', "import { x } from '../../../test/support/world.ts';"],
  ])('reject %s', (_what, path, text) => {
    expect(violationsIn([{ path, text }])).toHaveLength(1);
  });
});

describe("a stranger's value", () => {
  it('is read by schemas, and by nothing else that is not listed with its reason', () => {
    const found = readersIn(sourceFiles());
    expect(found).toContain('core: read');
    expect(found.filter((one) => !Object.hasOwn(readers, one))).toEqual([]);
  });

  it('is not called what nobody has checked, but where that is listed with its reason', () => {
    expect(castsIn(sourceFiles()).sort()).toEqual(Object.keys(casts).sort());
  });

  it.each([
    ['a function that gives a value', 'export function portOf(value: unknown): number {\n'],
    ['a function that gives a value or a problem', 'function list<T>(\n  value: unknown,\n): Parsed<readonly T[]> {\n'],
    ['a method of a table', 'const port = (given: unknown): number | undefined => 1;\n'],
  ])('is noticed where it is read by %s', (_what, text) => {
    expect(readersIn([{ path: 'faces/web/input.ts', text }])).toHaveLength(1);
  });

  it.each([
    ['what only tells whether it is one', 'function isPort(value: unknown): value is number {\n'],
    ['what shows it', 'function shown(value: unknown): string {\n'],
    ['what was thrown', 'function failed(error: unknown): SkillError {\n'],
  ])('is not taken for read by %s', (_what, text) => {
    expect(readersIn([{ path: 'faces/web/input.ts', text }])).toEqual([]);
  });
});

describe('a comment', () => {
  /** Openings that keep a reader waiting for what the comment is about. */
  const vague = /^\s*\/\*\* (?:What|Who|Those|The same|Its?|Told|Asked|By|So|Of|From|Which|All that|Where|How)\b.*/gm;

  it('on a declaration begins with what it is about', () => {
    const found = sourceFiles().flatMap(({ path, text }) =>
      [...text.matchAll(vague)].map(([comment]) => `${path}: ${comment.trim()}`),
    );
    expect(found).toEqual([]);
  });
});

it('front matter is read in one room, by one reader [S2-DATA-05]', () => {
  // Agents' own configuration files are in YAML too, and are not front matter; what both are made of is in the core.
  const others = /^(?:agents\/setup\/|core\/formats\/yaml-tokens\.ts$)/;
  const readers = sourceFiles().filter(({ path, text }) => /from 'yaml'/.test(text) && !others.test(path));
  expect(readers.map(({ path }) => path).filter((path) => !path.startsWith('skill/'))).toEqual([]);
  const callers = sourceFiles()
    .filter(({ text }) => /\bparseSkill\b/.test(text))
    .map(({ path }) => path);
  // What is scanned or was fetched is read before it is placed.
  const known = ['discovery/read.ts', 'get/scan/rules/manifest.ts', 'get/sources/tree.ts'];
  expect(callers.filter((path) => !path.startsWith('skill/'))).toEqual(known);
});
