import { rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { programOnPath } from '../agents/setup/agents/places.ts';
import { findProgram, type Program } from '../agents/setup/plan/entry.ts';
import { isThere, linkStatOf, readRegularFile, realPathOrSelf } from '../core/disk/files.ts';
import { makeFolder } from '../core/disk/make-folder.ts';
import { expandPath } from '../core/disk/paths.ts';
import { addFile } from '../core/disk/replace.ts';
import { type Environment, variable } from '../core/environment.ts';
import { reasonOf, SkillError } from '../core/errors.ts';

/** The second name that this program may have. */
export const aliasName = 'skill';

/** The line that marks a launcher as ours, wherever the program that it starts has gone. */
const mark = '# Made by: repertoire alias';
const byteLimit = 16_384;

/** The path of the launcher: in a folder of the user's own, unless another one is named. */
export function aliasFile(dir: string | undefined, environment: Environment): string {
  return join(expandPath(dir ?? '~/.local/bin', environment), aliasName);
}

/** Puts a launcher at the path. Node is named in it, because agents may start it without Node on their PATH. */
export function putAlias(file: string, { node, file: program }: Program): 'made' | 'unchanged' {
  const text = `#!/bin/sh\n${mark} ${aliasName}\nexec ${quoted(node)} ${quoted(program)} "$@"\n`;
  if (textOf(file) === text) return 'unchanged';
  refuseForeign(file, program);
  orFail(file, 'written', () => {
    makeFolder(dirname(file), 0o755);
    rmSync(file, { force: true });
    addFile(file, text, 0o755);
  });
  return 'made';
}

export function removeAlias(file: string, { file: program }: Program): 'removed' | 'absent' {
  if (!linkStatOf(file).ok) return 'absent';
  refuseForeign(file, program);
  orFail(file, 'removed', () => rmSync(file));
  return 'removed';
}

/** Tells whether the name means this program in the user's shell. */
export function hasAlias(environment: Environment): boolean {
  const found = programOnPath(aliasName, environment);
  return found !== undefined && isOurs(found, findProgram(environment).file);
}

/** Programs on PATH that have the same name and are not at that path; those before it win, those behind it are hidden. */
export function namesakesOf(file: string, environment: Environment): { before: string[]; behind: string[] } {
  const folders = foldersOnPath(environment);
  const at = folders.indexOf(dirname(file));
  const others = (from: number, to: number) => {
    const paths = folders.slice(from, to).flatMap((PATH) => {
      return programOnPath(aliasName, { ...environment, env: { PATH } }) ?? [];
    });
    return [...new Set(paths)].filter((path) => realPathOrSelf(path) !== realPathOrSelf(file));
  };
  return at === -1
    ? { before: others(0, folders.length), behind: [] }
    : { before: others(0, at), behind: others(at, folders.length) };
}

export function isOnPath(folder: string, environment: Environment): boolean {
  return foldersOnPath(environment).includes(folder);
}

function foldersOnPath(environment: Environment): string[] {
  return (variable(environment, 'PATH') ?? '').split(delimiter).map((folder) => folder.replace(/(.)\/+$/, '$1'));
}

function refuseForeign(file: string, program: string): void {
  if (!linkStatOf(file).ok || isOurs(file, program)) return;
  throw new SkillError('unwritable', `${file} already exists, and was not created by this command`, {
    hint: 'Move it away, or name another folder with --dir.',
  });
}

/** Tells whether a file is our launcher, or a link to the program such as npm makes. */
function isOurs(file: string, program: string): boolean {
  if (textOf(file)?.split('\n')[1]?.startsWith(mark)) return true;
  return isThere(file) && realPathOrSelf(file) === realPathOrSelf(program);
}

function textOf(file: string): string | undefined {
  const read = readRegularFile(file, byteLimit);
  return read.ok ? read.value.bytes.toString('utf8') : undefined;
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

function orFail(file: string, what: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw new SkillError('unwritable', `${file} cannot be ${what} (${reasonOf(error)})`, {
      hint: 'Name a folder of your own with --dir.',
    });
  }
}
