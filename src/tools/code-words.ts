import { posix } from 'node:path';
import { type Problem, problem, shown } from '../kernel/parsed.ts';
import { type CodeReader, codeReaders } from './code-readers.ts';
import type { Word } from './placeholders.ts';

const remedy =
  'Pass it as an argument that the code names, as in ["sh", "-c", \'echo "$1"\', "sh", "{text}"], write a script, or name the values in an enum.';

/**
 * What is wrong with a command that has a program read a value as code, or as the program to run: a shell's `-c`, the
 * program of `awk`, what `xargs` starts. Such a value could do all that the program can, whatever the author had in mind.
 */
export function codeProblem(words: readonly Word[], input: 'stdin' | 'no stdin'): Problem | null {
  let runs = 0;
  for (const [at, word] of words.entries()) {
    const name = posix.basename(fixedText(word));
    const reader = codeReaders.find(({ program }) => program.test(name));
    if (reader === undefined) continue;
    const rest = words.slice(at + 1);
    const found = at === runs ? operandsOf(rest, reader) : null;
    const code = codeIn(reader.cutsAtFile ? ownWords(rest) : rest, reader) ?? found?.code ?? null;
    if (code !== null) return problem(`${name} would read the value of ${shown(code)} as code`, remedy);
    if (input === 'stdin' && at === runs && readsInput(rest, reader)) {
      return problem(`${name} would read its input as code`, 'Give it a script to run, which then reads the input.');
    }
    if (found?.program !== undefined) runs = at + 1 + found.program;
  }
  return null;
}

function fixedText({ before, parameter }: Word): string {
  return parameter === null ? before : '';
}

/** The words that speak to the program itself: what follows a file is for that file. */
function ownWords(words: readonly Word[]): readonly Word[] {
  const file = words.findIndex((word) => /^[^-\s]*[./]\S*$/.test(fixedText(word)));
  return file === -1 ? words : words.slice(0, file + 1);
}

/** The parameter that is read as code: in the word after the option, or in one with it. */
function codeIn(words: readonly Word[], { option }: CodeReader): string | null {
  if (option === undefined) return null;
  const code = words.find(({ before, parameter, whenTrue }, at) => {
    const previous = words[at - 1];
    const follows = previous !== undefined && option.test(fixedText(previous));
    return parameter !== null && whenTrue === null && (follows || option.test(before.replace(/=$/, '')));
  });
  return code?.parameter ?? null;
}

/** What stands where a program has its code, or the program that it runs. */
function operandsOf(words: readonly Word[], reader: CodeReader): { code?: string; program?: number } {
  const { operand, unless } = reader;
  if (operand === undefined || words.some((word) => unless?.test(fixedText(word)))) return {};
  const own = operandPlaces(words, reader).slice(operand.after ?? 0);
  const places = operand.is === 'all code' ? own : own.slice(0, 1);
  const code = places.map((at) => words[at]?.parameter ?? null).find((parameter) => parameter !== null);
  if (code !== undefined) return { code };
  return operand.is === 'program' && places[0] !== undefined ? { program: places[0] } : {};
}

/** The places of words that are neither options, nor their values. */
function operandPlaces(words: readonly Word[], { takes, operand }: CodeReader): number[] {
  return [...words.keys()].filter((at) => {
    const { before, whenTrue } = words[at] as Word;
    const previous = words[at - 1];
    const isValue = previous !== undefined && takes?.test(fixedText(previous));
    return whenTrue === null && !before.startsWith('-') && !isValue && !operand?.isSkipped?.test(before);
  });
}

/** Whether nothing else is given to run. */
function readsInput(words: readonly Word[], { input }: CodeReader): boolean {
  if (input === undefined) return false;
  return input === 'always' || words.every((word) => /^-[^cem]*$/.test(fixedText(word)));
}
