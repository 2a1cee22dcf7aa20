import { posix } from 'node:path';
import { readRegularPart } from '../../../core/disk/files.ts';
import { type Parsed, type Problem, parsed, problem } from '../../../core/schema/parsed.ts';
import { parseCommand } from '../../policy/names.ts';
import type { RuntimeName } from '../../policy/types.ts';
import { interpreterOf } from '../code/interpreters.ts';
import { plainParameters } from '../parameters/schema-parts.ts';
import { fileOf, wasmKindOf } from '../skill-files.ts';
import { optionSlots, readTemplate, type WordProblem } from '../template.ts';
import type { JsonSchema, Slot, Work } from '../types.ts';
import type { Declared } from './declared.ts';

/** The thing to run, once it is known where. */
export type Target =
  | { readonly kind: 'command' }
  | { readonly kind: 'script'; readonly file: string; readonly image: string | null }
  | { readonly kind: 'module'; readonly file: string }
  | { readonly kind: 'container'; readonly image: string };

/** The declarations of a tool on its command. */
export interface Call {
  /** The words of its command; null where it has none. */
  readonly words: readonly string[] | null;
  /** Fixed words that stand before the parameters where it has none. */
  readonly begin: readonly string[];
  readonly parameters: JsonSchema;
  readonly stdin: string | null;
  /** The real folder of the skill. */
  readonly folder: string;
}

export type Made<T> = Parsed<T> | WordProblem;

/** The work that is started when the tool is called. */
export function workFor(target: Target, call: Call): Made<Work> {
  switch (target.kind) {
    case 'command':
      return commandWork(call);
    case 'script':
      return scriptWork(target.file, target.image, call);
    case 'module':
      return moduleWork(target.file, call);
    case 'container': {
      const command = argumentSlots(call);
      return command.ok ? parsed({ kind: 'container', image: target.image, command: command.value }) : command;
    }
  }
}

function commandWork(call: Call): Made<Work> {
  const { words, parameters, stdin, folder } = call;
  if (words === null)
    return problem('has nothing to run', 'Add command = ["program", "{parameter}"], or script = "scripts/…".');
  const slots = readTemplate({ words, begins: 'with a program', parameters, stdin });
  if (!slots.ok) return slots;
  const [program, ...rest] = slots.value;
  const first = programSlots(program?.before ?? '', folder);
  return first.ok
    ? parsed({ kind: 'command', command: [...first.value, ...withFiles(rest, folder)] })
    : { ...first, word: 0 };
}

function scriptWork(file: string, image: string | null, call: Call): Made<Work> {
  const interpreter = interpreterFor(file, call.folder);
  if (!interpreter.ok) return interpreter;
  const isPlain = call.words === null && call.parameters === plainParameters;
  if (isPlain && image === null) return parsed({ kind: 'script', file, interpreter: interpreter.value });
  const rest = argumentSlots(call);
  if (!rest.ok) return rest;
  const command = [...interpreter.value.map(fixedSlot), fileSlot(file), ...rest.value];
  return parsed(image === null ? { kind: 'command', command } : { kind: 'container', image, command });
}

function moduleWork(file: string, call: Call): Made<Work> {
  const kind = wasmKindOf(call.folder, file);
  if (!kind.ok) return kind;
  if (kind.value === 'component') {
    if (call.words === null) return parsed({ kind: 'component', file });
    return problem('a component takes its parameters as they are, without a command', 'Remove the command.');
  }
  const command = argumentSlots(call);
  return command.ok ? parsed({ kind: 'module', file, command: command.value }) : command;
}

/** The slots of arguments that need no program before them. */
function argumentSlots({ words, begin, parameters, stdin, folder }: Call): Made<readonly Slot[]> {
  if (words !== null) {
    const slots = readTemplate({ words, begins: 'with arguments', parameters, stdin });
    return slots.ok ? parsed([...begin.map(fixedSlot), ...withFiles(slots.value, folder)]) : slots;
  }
  if (parameters === plainParameters) return parsed([...begin.map(fixedSlot), argsSlot]);
  return parsed([...begin.map(fixedSlot), ...optionSlots(parameters, stdin)]);
}

/** The slot for plain arguments: a caller that gives them as such means options where they look like options. */
export const argsSlot: Slot = { before: '', parameter: 'args', after: '', flag: null, positional: false };

function fixedSlot(word: string): Slot {
  return { before: word, parameter: null, after: '', flag: null, positional: false };
}

/** The slot for a file, with a slash in any case: without one it would be the name of a program. */
function fileSlot(file: string): Slot {
  const path = posix.normalize(file);
  return { ...fixedSlot(path.includes('/') ? path : `./${path}`), isFile: true };
}

/** Folders whose programs are asked for by name alone: it is the same program wherever it is found. */
const usualFolders = new Set(['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/sbin', '/usr/sbin']);

/** The slots for a program of the machine by its name, or for a file of the skill with its interpreter. */
function programSlots(program: string, folder: string): Parsed<readonly Slot[]> {
  if (program.includes('/') && !posix.isAbsolute(program)) {
    const interpreter = interpreterFor(program, folder);
    return interpreter.ok ? parsed([...interpreter.value.map(fixedSlot), fileSlot(program)]) : interpreter;
  }
  const isUsual = usualFolders.has(posix.dirname(program));
  const name = parseCommand(isUsual ? posix.basename(program) : program);
  return name.ok ? parsed([fixedSlot(name.value)]) : name;
}

function interpreterFor(file: string, folder: string): Parsed<readonly string[]> | Problem {
  const real = fileOf(folder, file);
  if (!real.ok) return real;
  const head = readRegularPart(real.value, 0, 512);
  const interpreter = head.ok ? interpreterOf(file, head.value.bytes) : null;
  const remedy = 'Begin the file with a line like "#!/usr/bin/env python3", or name the program first in command.';
  return interpreter === null ? problem(`it is not known which program runs ${file}`, remedy) : parsed(interpreter);
}

/** Marks paths that lead to files of the skill, so that they do so from everywhere. */
function withFiles(slots: readonly Slot[], folder: string): readonly Slot[] {
  return slots.map((slot) => {
    const { before, parameter, flag } = slot;
    const isPath = parameter === null && flag === null && before.includes('/') && !/^[/~-]/.test(before);
    return isPath && fileOf(folder, before).ok ? fileSlot(before) : slot;
  });
}

/** The program of the machine that is started; null where it is a file of the skill, or nothing of the machine's. */
export function programIn(work: Work): string | null {
  if (work.kind === 'script') return work.interpreter[0] ?? null;
  const [first] = work.kind === 'command' ? work.command : [];
  return first === undefined || first.isFile ? null : first.before;
}

const runtimes: { readonly [K in Work['kind']]: RuntimeName } = {
  command: 'native',
  script: 'native',
  module: 'wasm',
  component: 'wasm',
  container: 'docker',
};

/** The runtime of a tool's work. A skill may have tools of more than one kind. */
export function runtimeOfWork({ kind }: Work): RuntimeName {
  return runtimes[kind];
}

/** The declarations of a tool itself on where it runs. */
interface Said {
  readonly command?: readonly string[];
  readonly script?: string;
  readonly module?: string;
  readonly image?: string;
}

/** The target of a tool: its own, or its skill's. A script of the same name is what it runs if it names nothing. */
export function targetOf(said: Said, declared: Declared, namesake: string | undefined): Parsed<Target> {
  const { script, module, image, command } = said;
  const runtime = runtimeOf(declared);
  if (script !== undefined) {
    return parsed({ kind: 'script', file: script, image: image ?? (runtime === 'docker' ? declared.image : null) });
  }
  if (module !== undefined) return parsed({ kind: 'module', file: module });
  if (image !== undefined) return parsed({ kind: 'container', image });
  if (runtime !== 'native') return sharedTarget(runtime, declared);
  const isNamesake = command === undefined && namesake !== undefined;
  return parsed(isNamesake ? { kind: 'script', file: namesake, image: null } : { kind: 'command' });
}

/** The module or the image that all tools of a skill share. */
export function sharedTarget(runtime: 'wasm' | 'docker', { module, image }: Declared): Parsed<Target> {
  if (runtime === 'wasm') {
    if (module !== null) return parsed({ kind: 'module', file: module });
    return problem('has no module to run', 'Add module = "name.wasm" to the tool, or to [skill].');
  }
  if (image !== null) return parsed({ kind: 'container', image });
  return problem('has no image to run', 'Add image = "name:tag" to the tool, or to [skill].');
}

/** The runtime of tools, unless they say otherwise. */
export function runtimeOf({ runtime, image, module }: Declared): RuntimeName {
  return runtime ?? (image !== null ? 'docker' : module !== null ? 'wasm' : 'native');
}
