import { accessSync, constants, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { SkillError } from '../../kernel/errors.ts';
import { realPathOf } from '../../kernel/files.ts';
import { isInside } from '../../kernel/paths.ts';
import { oneLine } from '../../kernel/text.ts';

/** Where programs are looked for, whatever the caller's own path is: it might hold a folder that anyone can write to. */
const folders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
/** Where else they are on a Mac. */
const moreFolders = ['/opt/homebrew/bin', '/opt/local/bin'];

/** The path of what the first word of a command means: `./x` and `scripts/x` are the skill's, a bare word is the machine's. */
export function findProgram(word: string, skillFolder: string, needs: 'executable' | 'file'): string {
  if (!word.includes('/')) return findOnMachine(word);
  if (isAbsolute(word)) return absolute(word);
  const path = realPathOf(resolve(skillFolder, word));
  if (!path.ok || !isInside(skillFolder, path.value)) {
    throw new SkillError('unavailable', `${oneLine(word)} is not a file of the skill`, {
      hint: "Name a program of the skill by its path from the skill's folder: scripts/run.sh.",
    });
  }
  if (needs === 'executable' && !isExecutable(path.value)) {
    throw new SkillError('unavailable', `${oneLine(word)} cannot be executed`, {
      hint: `Make it so: chmod +x ${path.value}`,
    });
  }
  return path.value;
}

function absolute(word: string): string {
  if (isExecutable(word)) return word;
  throw new SkillError('unavailable', `the program ${oneLine(word)} was not found on this machine`, {
    hint: 'Install it, or name a program by its bare name.',
  });
}

function findOnMachine(name: string): string {
  // The Node that runs us is the one a script gets, wherever it is installed.
  if (name === 'node') return process.execPath;
  const beside = dirname(process.execPath);
  const found = [...folders, ...moreFolders, beside].map((folder) => join(folder, name)).find(isExecutable);
  if (found !== undefined) return found;
  throw new SkillError('unavailable', `${oneLine(name)} is not installed on this machine`, {
    hint: `Install ${oneLine(basename(name))}, in one of ${folders.join(', ')}.`,
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
