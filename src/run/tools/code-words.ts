import { posix } from 'node:path';
import { type Problem, problem, shown } from '../../core/parsed.ts';
import { type CodeReader, codeReaders } from './code-readers.ts';
import type { Word } from './placeholders.ts';

const remedy =
  'Pass it as an argument that the code names, as in ["sh", "-c", \'echo "$1"\', "sh", "{text}"], write a script, or name the values in an enum.';
const bareRemedy = 'Write a fixed text before it, as in ./{file}, or "--" where the program knows that, or a script.';

/**
 * The problem of a command that has a program read a value as code, or as the program to run: a shell's `-c`, the
 * program of `awk`, what `xargs` starts. Such a value could do all that the program can, whatever the author had in
 * mind.
 */
export function codeProblem(given: readonly Word[], stdin: string | null): Problem | null {
  const words = stdin === null ? given : given.map((word) => asInput(word, stdin));
  let runs = 0;
  for (const [at, word] of words.entries()) {
    const name = posix.basename(fixedText(word));
    const reader = codeReaders.find(({ program }) => program.test(name));
    if (reader === undefined) continue;
    const rest = words.slice(at + 1);
    const found = at === runs ? operandsOf(rest, reader) : {};
    const input = at === runs && stdin !== null ? inputProblem(name, rest, reader) : null;
    const wrong = wordsProblem(name, rest, reader, found.code) ?? scriptProblem(rest, reader) ?? input;
    if (wrong !== null) return wrong;
    if (found.program !== undefined) runs = at + 1 + found.program;
  }
  return null;
}

function wordsProblem(name: string, words: readonly Word[], reader: CodeReader, operand?: string): Problem | null {
  const code = codeIn(reader.cutsAtFile ? ownWords(words) : words, reader) ?? operand;
  if (code === undefined) return null;
  const isBare = reader.operand?.is === 'bare code';
  return problem(`${name} would read the value of ${shown(code)} as code`, isBare ? bareRemedy : remedy);
}

function fixedText({ before, parameter }: Word): string {
  return parameter === null ? before : '';
}

/** The word for a file that is the standard input, and so has the value that goes there. */
function asInput(word: Word, stdin: string): Word {
  return /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(fixedText(word))
    ? { ...word, before: '-', parameter: stdin }
    : word;
}

/** The words that speak to the program itself: what follows a file is for that file. */
function ownWords(words: readonly Word[]): readonly Word[] {
  const file = words.findIndex((word) => /^[^-\s]*[./]\S*$/.test(fixedText(word)));
  return file === -1 ? words : words.slice(0, file + 1);
}

/** The parameter that is read as code: in the word after the option, or in one with it. */
function codeIn(words: readonly Word[], { option }: CodeReader): string | undefined {
  if (option === undefined) return undefined;
  const code = words.find(({ before, parameter, whenTrue }, at) => {
    const previous = words[at - 1];
    const follows = previous !== undefined && option.test(fixedText(previous));
    return parameter !== null && whenTrue === null && (follows || option.test(before.replace(/=.*$/s, '')));
  });
  return code?.parameter ?? undefined;
}

/** The operands that stand where a program has its code, or the program that it runs. */
function operandsOf(words: readonly Word[], reader: CodeReader): { code?: string | undefined; program?: number } {
  const { operand, unless, allAfter, runsAfter } = reader;
  const all = operandPlaces(words, reader);
  const after = (mark: RegExp | undefined): number[] | null => {
    const at = mark === undefined ? -1 : words.findIndex((word) => mark.test(fixedText(word)));
    return at === -1 ? null : all.filter((place) => place > at);
  };
  const started = after(runsAfter);
  const code = valueAt(words, after(allAfter) ?? []) ?? valueAt(words, (started ?? []).slice(0, 1));
  if (code !== undefined) return { code };
  if (started?.[0] !== undefined) return { program: started[0] };
  if (operand === undefined || words.some((word) => unless?.test(fixedText(word)))) return {};
  const own = all.slice(operand.after ?? 0);
  const read = valueAt(words, own.filter(readAs[operand.is](words)));
  if (read !== undefined || operand.is !== 'program' || own[0] === undefined) return { code: read };
  return { program: own[0] };
}

/** Choices of the operands that count, by the words and the place of each. */
const readAs = {
  program: () => isFirst,
  code: () => isFirst,
  'all code': (words: readonly Word[]) => (at: number) => words[at]?.before !== '-',
  'bare code': (words: readonly Word[]) => (at: number) => /^(?:\+.*)?$/s.test(words[at]?.before ?? ''),
};

function isFirst(_: number, index: number): boolean {
  return index === 0;
}

function valueAt(words: readonly Word[], places: readonly number[]): string | undefined {
  return places.map((at) => words[at]?.parameter ?? null).find((parameter) => parameter !== null) ?? undefined;
}

/** The places of words that are neither options, nor their values. */
function operandPlaces(words: readonly Word[], { takes, takesTwo, operand }: CodeReader): number[] {
  const fixed = words.map(fixedText);
  return [...words.keys()].filter((at) => {
    const { before, whenTrue } = words[at] as Word;
    const [second = '', first = ''] = [fixed[at - 2], fixed[at - 1]];
    const isValue = takes?.test(first) || takesTwo?.test(first) || takesTwo?.test(second);
    return whenTrue === null && !/^-./s.test(before) && !isValue && !operand?.isSkipped?.test(before);
  });
}

/** The problem of the input of a program that always reads code there, or does where nothing else is given to run. */
function inputProblem(name: string, words: readonly Word[], { input }: CodeReader): Problem | null {
  if (input === undefined) return null;
  if (input === 'alone' && !words.every((word) => /^-[^cem]*$/.test(fixedText(word)))) return null;
  return problem(`${name} would read its input as code`, 'Give it a script to run, which then reads the input.');
}

const positional = /\$(?:[0-9@*]|argv\b|\{[0-9@*][^}]*\})/;
/** Places where shells expect a number, and evaluate what is there: `a[$(id)]`. */
const arithmetic = /\(\([^)]*|\[\[[^\]]*/g;
const comparison = /^\(|\s-(?:eq|ne|[lg][te])\s/;
const shellToken =
  /\d*[<>]+[&|]?|[;|&(){}\n`]|(?:'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|\$\{[^}]*\}|[^\s;|&(){}<>'"\\`])+/g;
/** Words that may stand before the name of a program. */
const notYet = /^(?:if|then|elif|else|while|until|do|!|\w+=.*)$/s;

/**
 * The problem of a fixed script for a shell, where values follow it. As `"$1"` they are data for the shell itself, and
 * may be something else for what it starts: `eval "$1"`, `awk "$1"`, `"$@"`. The commands in the script are judged as
 * if they were templates.
 */
function scriptProblem(words: readonly Word[], { shellScript }: CodeReader): Problem | null {
  const at = shellScript === undefined ? -1 : words.findIndex((word) => shellScript.test(fixedText(word)));
  const script = words[at + 1];
  const value = words.slice(at + 2).find(({ parameter }) => parameter !== null);
  if (at === -1 || script === undefined || value === undefined) return null;
  const text = fixedText(script);
  for (const [number] of text.matchAll(arithmetic)) {
    if (!positional.test(number) || !comparison.test(number)) continue;
    return problem(`the script would calculate with the value of ${shown(value.parameter)}`, remedy);
  }
  const inner = [...text.matchAll(/\$\(([^()]*)\)|`([^`]*)`/g)].map(([, one, other]) => one ?? other ?? '');
  for (const command of [text, ...inner].flatMap(commandsIn)) {
    const program = command[0];
    if (program !== undefined && program.before === '' && program.parameter !== null) {
      return problem(`the script would run the value of ${shown(program.parameter)} as a program`, remedy);
    }
    const wrong = codeProblem(command, null);
    if (wrong !== null) return wrong;
  }
  return null;
}

/** The simple commands of a shell script, as words with `$1` and the like for parameters. */
function commandsIn(script: string): Word[][] {
  let command: Word[] = [];
  const commands = [command];
  const around: Word[][] = [];
  let isTarget = false;
  for (const [token] of script.matchAll(shellToken)) {
    const isRedirection = /^\d*[<>]/.test(token);
    if (/^[;|&(){}\n`]$/.test(token)) {
      if (token === '(') around.push(command);
      command = (token === ')' ? around.pop() : undefined) ?? [];
      commands.push(command);
    } else if (!isRedirection && !isTarget && !(command.length === 0 && notYet.test(token))) {
      command.push(shellWord(token));
    }
    isTarget = isRedirection;
  }
  return commands;
}

function shellWord(token: string): Word {
  const quoted = /"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'/g;
  const [found] = positional.exec(token.replace(quoted, (_, soft?: string) => soft ?? '')) ?? [];
  const text = token.replace(quoted, (_, soft?: string, hard?: string) => soft ?? hard ?? '');
  if (found === undefined) return { before: text, parameter: null, after: '', whenTrue: null };
  return { before: text.slice(0, text.indexOf(found)), parameter: found, after: '', whenTrue: null };
}
