import { posix } from 'node:path';
import { type Problem, problem, shown } from '../kernel/parsed.ts';
import type { Word } from './placeholders.ts';

const shell = /^(?:ba|da|a|z|k|mk|c|tc|fi)?sh$/;

/** Programs that take code as an argument, and the option that the code follows. */
const readers: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [shell, /^(?:-[a-z]*c[a-z]*|--command|--init-command)$/i],
  [/^(?:python|pypy)[\d.]*$/, /^-[a-zA-Z]*c$/],
  [/^(?:node|nodejs|bun|deno)$/, /^(?:-[pe]+|--eval|--print|eval)$/],
  [/^(?:perl|ruby|lua|luajit|Rscript|osascript|php|elixir|julia)[\d.]*$/, /^(?:-[a-z]*[eErRB]|--eval|--run)$/],
  [/^(?:pwsh|powershell)$/, /^-{1,2}(?:c|command|e|encodedcommand)$/i],
];

const remedy =
  'Pass it as an argument that the code names, as in ["sh", "-c", \'echo "$1"\', "sh", "{text}"], or write a script.';

/**
 * What is wrong with a command that has a program read a value as code: a shell's `-c`, an interpreter's `-e`. Such a
 * value could do all that the program can, whatever the author had in mind.
 */
export function codeProblem(words: readonly Word[], input: 'stdin' | 'no stdin'): Problem | null {
  for (const [at, word] of words.entries()) {
    const name = posix.basename(fixedText(word));
    const reader = readers.find(([program]) => program.test(name));
    if (reader === undefined) continue;
    const own = ownWords(words.slice(at + 1));
    const code = codeIn(own, reader[1]);
    if (code !== null) return problem(`${name} would read the value of ${shown(code)} as code`, remedy);
    if (input === 'stdin' && shell.test(name) && own.every((one) => /^-[^c]*$/.test(fixedText(one)))) {
      return problem(`${name} would read its input as code`, 'Give it a script to run, which then reads the input.');
    }
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
function codeIn(words: readonly Word[], option: RegExp): string | null {
  const code = words.find(({ before, parameter }, at) => {
    const previous = words[at - 1];
    const follows = previous !== undefined && option.test(fixedText(previous));
    return parameter !== null && (follows || option.test(before.replace(/=$/, '')));
  });
  return code?.parameter ?? null;
}
