import { accessSync, constants, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { realPathOf } from '../../core/disk/files.ts';
import { isInside } from '../../core/disk/paths.ts';
import { SkillError } from '../../core/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { FileDigests } from '../../run/policy/types.ts';
import type { Task } from '../../run/sandbox/types.ts';
import { argsSlot } from '../../run/tools/manifest/tool-work.ts';
import { argumentsFor } from '../../run/tools/parameters/arguments.ts';
import type { SkillTool } from '../../run/tools/types.ts';

type Values = Readonly<Record<string, unknown>>;

interface TaskParts {
  readonly tool: SkillTool;
  readonly values: Values;
  /** Real folder of the skill; `seenAt` is where the run sees it. */
  readonly folder: string;
  readonly seenAt: string;
  readonly files: FileDigests;
}

/** Builds the task to start from the manifest and the caller's values. */
export function taskFor(parts: TaskParts): Task {
  const { tool, values, seenAt } = parts;
  const { work } = tool;
  switch (work.kind) {
    case 'command':
      return commandTask(parts, argumentsFor(work.command, values, seenAt));
    case 'script':
      return scriptTask(parts, work);
    case 'module':
      return { ...module(parts, work.file), kind: 'module', args: argumentsFor(work.command, values, seenAt) };
    case 'component':
      return { ...module(parts, work.file), kind: 'component', tool: tool.name, parameters: JSON.stringify(values) };
    case 'container':
      return { kind: 'container', image: work.image, args: argumentsFor(work.command, values, seenAt) };
  }
}

function commandTask({ folder, seenAt }: TaskParts, [word = '', ...args]: readonly string[]): Task {
  const inSkill = isInside(seenAt, word) ? `.${word.slice(seenAt.length)}` : word;
  return { kind: 'command', program: findProgram(inSkill, folder, 'executable'), args };
}

function scriptTask(
  { folder, seenAt, values }: TaskParts,
  { file, interpreter }: { readonly file: string; readonly interpreter: readonly string[] },
): Task {
  const path = findProgram(`./${file}`, folder, 'file');
  const given = argumentsFor([argsSlot], values);
  const [word, ...options] = interpreter;
  if (word === undefined) return { kind: 'command', program: path, args: given };
  const script = join(seenAt, path.slice(folder.length));
  const program = findProgram(word, folder, 'executable');
  return { kind: 'command', program, args: [...options, script, ...given] };
}

function module({ folder, files }: TaskParts, file: string): { readonly file: string; readonly digest: string } {
  const path = findProgram(`./${file}`, folder, 'file');
  const digest = /^sha256:([0-9a-f]{64})/.exec(files[path.slice(folder.length + 1)] ?? '')?.[1];
  if (digest === undefined) throw new SkillError('unavailable', `${file} is not a regular file inside the skill`);
  return { file: path, digest };
}

/** Folders to find programs in, whatever the caller's PATH: it might hold a folder that anyone can write to. */
const folders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
/** Further folders on a Mac. */
const moreFolders = ['/opt/homebrew/bin', '/opt/local/bin'];

/** Finds the program of a command's first word: `./x` and `scripts/x` are the skill's, a bare word is the machine's. */
function findProgram(word: string, skillFolder: string, needs: 'executable' | 'file'): string {
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
