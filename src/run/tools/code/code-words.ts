import { posix } from 'node:path';
import { type Problem, problem, shown } from '../../../core/schema/parsed.ts';
import { isRunning } from '../../policy/names.ts';
import type { Word } from '../placeholders.ts';
import { type CodeReader, codeReaders } from './code-readers.ts';
import { calculates, shellCommands } from './shell-commands.ts';

const remedy =
  'Pass it as an argument that the code names, as in ["sh", "-c", \'echo "$1"\', "sh", "{text}"], write a script, or name the values in an enum.';
const bareRemedy = 'Write a fixed text before it, as in ./{file}, or "--" where the program knows that, or a script.';

/**
 * The problem of a command that has a program read a value as code, or as the program to run: a shell's `-c`, the
 * program of `awk`, what `xargs` starts. Such a value could do all that the program can, whatever the author had in
 * mind.
 */
export function codeProblem(given: readonly Word[], stdin: string | null): Problem | null {
  const words = given.map((word) => asInput(word, stdin));
  return variableProblem(words) ?? fedProblem(words, stdin) ?? readersProblem(words, stdin);
}

/** The problem of the first program in a command that reads a value as code: the command itself, or what it starts. */
function readersProblem(words: readonly Word[], stdin: string | null): Problem | null {
  let runs = 0;
  // a container's own options may stand before its program
  let isSure = !/^-/.test(words[0]?.before ?? '');
  for (const [at, word] of words.entries()) {
    const reader = isSure && at !== runs ? undefined : readerOf(word);
    if (reader === undefined) continue;
    const rest = words.slice(at + 1);
    const found = at === runs ? operandsOf(rest, reader) : null;
    const wrong = readerProblem(posix.basename(word.before), rest, reader, found, stdin);
    if (wrong !== null) return wrong;
    if (found?.program !== undefined) [runs, isSure] = [at + 1 + found.program, isSure && found.isSure === true];
  }
  return null;
}

/** The reader of a program. What a skill has in its own folders is something else, whatever its name. */
function readerOf(word: Word): CodeReader | undefined {
  const path = fixedText(word);
  const isOfSkill = path.includes('/') && !path.startsWith('/');
  const named = (name: string): CodeReader | undefined =>
    codeReaders.find(({ program, isOwn }) => (isOwn || !isOfSkill) && program.test(name));
  const name = posix.basename(path);
  // programs of GNU have a g before their names where others come first, and many have their version behind it
  const spellings = [name, name.replace(/^g(?=.)/, ''), name.replace(/(?<=.)-?\d[\d.]*$/, '')];
  return spellings.map(named).find((reader) => reader !== undefined);
}

/** The problem of a value that is given to a program as a variable which chooses what it runs: `env PATH={v} make`. */
function variableProblem(words: readonly Word[]): Problem | null {
  const [first, ...rest] = words.map(fixedText);
  const isForNobody = first === 'env' && !rest.some((text) => /^[^-=]+$/.test(text));
  if (first === undefined || !setsVariables.test(first) || isForNobody) return null;
  const set = words.find(({ before, parameter }) => parameter !== null && chooses(/^(\w+)=/.exec(before)?.[1] ?? ''));
  if (set === undefined) return null;
  const name = set.before.replace(/=.*$/s, '');
  return problem(`the value of ${shown(set.parameter)} would choose what is run, as ${name}`, variableRemedy);
}

/** Whether a value that a caller chooses for a variable would become code. Users may grant some of their own. */
function chooses(name: string): boolean {
  return isRunning(name) || isRunning(name.toUpperCase()) || besides.test(name);
}

const besides =
  /^(?:SHELL|HOME|XDG_CONFIG_HOME|CURL_HOME|VIMINIT|EXINIT|PSQLRC|PSQL_PAGER|MAILCAPS|SYSTEMD_EDITOR|DOTNET_STARTUP_HOOKS|GOFLAGS|CGO_\w+|RUSTFLAGS|CARGO_\w+|KUBECONFIG|AWS_CONFIG_FILE|DOCKER_CONFIG|PIP_CONFIG_FILE|PIP_\w*INDEX_URL)$/;
const setsVariables = /^(?:\S*\/)?(?:env|export|declare|typeset|local|readonly)$/;
const variableRemedy = 'Set it to a fixed text, or write a script.';

/**
 * The problem of a value that `xargs` makes words of, for the program that it starts: arguments, which may be options,
 * or a part of one in place of a mark.
 */
function fedProblem(words: readonly Word[], stdin: string | null): Problem | null {
  const at = words.findIndex((word) => /^(?:xargs|parallel)$/.test(posix.basename(fixedText(word))));
  const reader = stdin === null || at === -1 ? undefined : readerOf(words[at] as Word);
  const own = words.slice(at + 1);
  const [program] = reader === undefined ? [] : operandPlaces(own, reader);
  if (program === undefined) return null;
  const started = own.slice(program);
  const mark = markIn(own.slice(0, program).map(fixedText));
  if (mark !== undefined) {
    const filled = started.map((word) => {
      const place = word.before.indexOf(mark);
      return place === -1 ? word : { ...word, before: word.before.slice(0, place), parameter: stdin };
    });
    return codeProblem(filled, null);
  }
  const first = started[0] as Word;
  if (readerOf(first)?.option !== undefined && !started.some((word) => fixedText(word) === '--')) {
    return problem(
      `${posix.basename(fixedText(first))} would take the value of ${shown(stdin)} for options`,
      fedRemedy,
    );
  }
  const value = { before: '', parameter: stdin, after: '', whenTrue: null };
  return codeProblem([...started, value, value], null);
}

const fedRemedy = 'Write "--" at the end of the words, where the program knows that, or write a script.';

/** The mark in place of which `xargs` puts its input; undefined where it puts that at the end. */
function markIn(options: readonly string[]): string | undefined {
  const at = options.findIndex((text) => /^(?:-I|-i|--replace)/.test(text));
  const option = options[at];
  if (option === undefined) return undefined;
  return option === '-I' ? options[at + 1] : option.replace(/^(?:-[Ii]|--replace=?)/, '') || '{}';
}

function readerProblem(
  name: string,
  words: readonly Word[],
  reader: CodeReader,
  found: Found | null,
  stdin: string | null,
): Problem | null {
  const code = codeIn(reader.cutsAtFile ? ownWords(words) : words, reader) ?? found?.code;
  if (code !== undefined) {
    const isBare = reader.operand?.is === 'bare code';
    return problem(`${name} would read the value of ${shown(code)} as code`, isBare ? bareRemedy : remedy);
  }
  if (found === null || stdin === null || !readsInput(words, reader)) return scriptProblem(words, reader, stdin);
  return problem(`${name} would read its input as code`, 'Give it a script to run, which then reads the input.');
}

function fixedText({ before, parameter }: Word): string {
  return parameter === null ? before : '';
}

/** The word for a file that is the standard input, and so has the value that goes there. */
function asInput(word: Word, stdin: string | null): Word {
  const isInput = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(fixedText(word));
  return stdin !== null && isInput ? { ...word, before: '-', parameter: stdin } : word;
}

/** The words that speak to the program itself: what follows a file is for that file. */
function ownWords(words: readonly Word[]): readonly Word[] {
  const file = words.findIndex((word) => /^[^-\s]*[./]\S*$/.test(fixedText(word)));
  return file === -1 ? words : words.slice(0, file + 1);
}

const nothing = /(?!)/;

/** The parameter that is read as code: in the word after the option, or in one with it. */
function codeIn(
  words: readonly Word[],
  { option = nothing, bareOption = nothing, bundles }: Reader,
): string | undefined {
  const code = words.find(({ before, parameter, whenTrue }, at) => {
    if (parameter === null || whenTrue !== null) return false;
    const previous = at === 0 ? '' : fixedText(words[at - 1] as Word);
    const [, own = '', begin = ''] = /^([^=]*)(?:=(.*))?$/s.exec(before) ?? [];
    const adds = bundles !== undefined && /^-[a-zA-Z\d]+$/.test(before) && !bundles.test(before);
    const isBare = begin === '' && (bareOption.test(own) || (own === '' && bareOption.test(previous)));
    // the rest of the word is code too: -es/a/{text}/
    const isBehind = /^-[a-zA-Z].*[^\w-]/s.test(own) && option.test(own.slice(0, 2));
    return adds || isBare || isBehind || isOption(option, previous) || isOption(option, own);
  });
  return code?.parameter ?? undefined;
}

/** Whether a word is one of these options, also where a long one is cut short, as many programs allow. */
function isOption(options: RegExp, text: string): boolean {
  if (options.test(text)) return true;
  return /^--\w{2}/.test(text) && cutShort.some((name) => name.startsWith(text) && options.test(name));
}

/** Long options of programs that take the beginning of one for all of it. */
const cutShort = [
  ...['--expression', '--file', '--split-string', '--source', '--include', '--load', '--exec', '--command'],
  ...[
    '--to-command',
    '--use-compress-program',
    '--checkpoint-action',
    '--rsh-command',
    '--rmt-command',
    '--info-script',
  ],
  ...['--new-volume-script', '--compress-program', '--filter', '--diff-program', '--strip-program', '--from-file'],
  ...['--upload-pack', '--receive-pack', '--config', '--extcmd', '--open-files-in-pager', '--template', '--engine'],
  ...['--execute', '--use-askpass', '--unzip-command', '--pager', '--preview'],
];

interface Found {
  readonly code?: string | undefined;
  /** The place of the program that is run. */
  readonly program?: number;
  /** Whether that is the place beyond doubt: no unknown option before it can have taken a word. */
  readonly isSure?: boolean;
}

type Reader = Omit<CodeReader, 'program'>;

/** The operands that stand where a program has its code, or the program that it runs. */
function operandsOf(words: readonly Word[], reader: Reader): Found {
  const { operand, unless, allAfter, runsAfter, cutsAtFile } = reader;
  const all = operandPlaces(words, reader);
  const below = subcommandOf(words, all, reader);
  if (below !== null) return below;
  const placeOf = (mark: RegExp | undefined, among: readonly Word[]): number =>
    mark === undefined ? -1 : among.findIndex((word) => mark.test(fixedText(word)));
  const from = placeOf(allAfter, words);
  const code =
    from === -1
      ? undefined
      : valueAt(
          words,
          all.filter((place) => place > from),
        );
  if (code !== undefined) return { code };
  const runner = placeOf(runsAfter, cutsAtFile ? ownWords(words) : words);
  if (runner !== -1) return { program: runner + 1 };
  if (operand === undefined || words.some((word) => unless?.test(fixedText(word)))) return {};
  const own = all.slice(operand.after ?? 0);
  const read = valueAt(words, own.filter(readAs[operand.is](words)));
  const [program] = own;
  if (read !== undefined || operand.is !== 'program' || program === undefined) return { code: read };
  const isKnown = (text: string): boolean =>
    !/^-[^=]+$/.test(text) || text === '--' || reader.takes?.test(text) === true;
  return { program, isSure: words.slice(0, program).every((word) => isKnown(fixedText(word))) };
}

/**
 * The finding after a subcommand that has a reader of its own; null where there is none. The word after an unknown
 * `--long` may be its value or the subcommand, and so the next one is looked at too.
 */
function subcommandOf(words: readonly Word[], operands: readonly number[], reader: Reader): Found | null {
  for (const at of operands.slice(reader.operand?.after ?? 0)) {
    const [, inner] = reader.subcommands?.find(([name]) => name.test(fixedText(words[at] as Word))) ?? [];
    if (inner !== undefined) {
      const rest = words.slice(at + 1);
      const { program, ...found } = operandsOf(rest, inner);
      const code = codeIn(rest, inner) ?? found.code;
      return { ...found, code, ...(program !== undefined && { program: at + 1 + program }) };
    }
    const previous = words[at - 1];
    if (previous === undefined || !isLong(fixedText(previous))) break;
  }
  return null;
}

/** Whether a word is a long option that may have the next word as its value. */
function isLong(text: string): boolean {
  return /^--[^=]+$/.test(text) && !/^--(?:no-.*|silent|quiet|verbose|debug|json|yes|help|version)$/.test(text);
}

/** Choices of the operands that count, by the words and the place of each. */
const readAs = {
  program: () => isFirst,
  code: () => isFirst,
  'all code': (words: readonly Word[]) => (at: number) => words[at]?.before !== '-',
  'bare code': (words: readonly Word[]) => (at: number) => /^(?:[+\\].*)?$/s.test(words[at]?.before ?? ''),
  'first word': () => (at: number) => at === 0,
};

function isFirst(_: number, index: number): boolean {
  return index === 0;
}

function valueAt(words: readonly Word[], places: readonly number[]): string | undefined {
  return places.map((at) => words[at]?.parameter ?? null).find((parameter) => parameter !== null) ?? undefined;
}

/** The places of words that are neither options, nor their values. */
function operandPlaces(words: readonly Word[], { takes, takesTwo, takesLong, operand }: Reader): number[] {
  const fixed = words.map(fixedText);
  const places: number[] = [];
  for (const [at, { before, parameter, whenTrue }] of words.entries()) {
    const [second = '', first = ''] = [fixed[at - 2], fixed[at - 1]];
    const isOfLong = takesLong && places.length === 0 && parameter !== null && isLong(first);
    const isValue = takes?.test(first) || takesTwo?.test(first) || takesTwo?.test(second) || isOfLong;
    if (whenTrue === null && !/^-./s.test(before) && !isValue && !operand?.isSkipped?.test(before)) places.push(at);
  }
  return places;
}

/** Whether a program reads code from its input: always, or where nothing else is given to run. */
function readsInput(words: readonly Word[], reader: CodeReader): boolean {
  const { input, inputWith, unless, operand } = reader;
  if (input !== 'alone') return input === 'always';
  const texts = words.map(fixedText);
  if (texts.some((text) => inputWith?.test(text))) return true;
  // options with code of their own: -e, -c, -m
  const isPlain = (text: string): boolean => !/^-[^-]*[cem]|=/.test(text) && unless?.test(text) !== true;
  return texts.every(isPlain) && operandPlaces(words, reader).length <= (operand?.after ?? 0);
}

/**
 * The problem of a fixed script for a shell, where values follow it. As `"$1"` they are data for the shell itself, and
 * may be something else for what it starts: `eval "$1"`, `awk "$1"`, `"$@"`. The commands in the script are judged as
 * if they were templates.
 */
function scriptProblem(words: readonly Word[], { shellScript }: CodeReader, stdin: string | null): Problem | null {
  const at = shellScript === undefined ? -1 : words.findIndex((word) => shellScript.test(fixedText(word)));
  const script = words[at + 1];
  const value = words.slice(at + 2).find(({ parameter }) => parameter !== null);
  if (at === -1 || script === undefined || (value === undefined && stdin === null)) return null;
  const text = fixedText(script);
  if (calculates(text)) {
    return problem(`the script would calculate with the value of ${shown(value?.parameter ?? stdin)}`, remedy);
  }
  for (const { words: command, input } of shellCommands(text, stdin)) {
    const program = command[0];
    if (program !== undefined && program.before === '' && program.parameter !== null) {
      return problem(`the script would run the value of ${shown(program.parameter)} as a program`, remedy);
    }
    const wrong = codeProblem(command, input);
    if (wrong !== null) return wrong;
  }
  return null;
}
