import { join } from 'node:path';
import { SkillError } from '../../kernel/errors.ts';
import { isInside } from '../../kernel/paths.ts';
import type { FileDigests } from '../../policy/types.ts';
import type { Task } from '../../sandbox/types.ts';
import { argumentsFor } from '../../tools/arguments.ts';
import { argsSlot } from '../../tools/tool-work.ts';
import type { SkillTool } from '../../tools/types.ts';
import { findProgram } from './programs.ts';

type Values = Readonly<Record<string, unknown>>;

export interface TaskParts {
  readonly tool: SkillTool;
  readonly values: Values;
  /** The real folder of the skill, and where the run sees it. */
  readonly folder: string;
  readonly seenAt: string;
  readonly files: FileDigests;
}

/** What is started, from what the manifest says and the caller gave. */
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
