import { isObject } from '../../core/formats/documents.ts';
import { type Parsed, type Problem, parsed, problem, shown } from '../../core/schema/parsed.ts';
import { codeProblem } from './code/code-words.ts';
import { isOfType, propertiesOf } from './parameters/schema-parts.ts';
import { readWord, type Word } from './placeholders.ts';
import type { JsonSchema, Slot } from './types.ts';

export interface Template {
  /** The words as their author wrote them. */
  readonly words: readonly string[];
  /** Whether the first word is a program; the arguments of modules and containers have none. */
  readonly begins: 'with a program' | 'with arguments';
  readonly parameters: JsonSchema;
  /** The parameter that goes to standard input. */
  readonly stdin: string | null;
  /** Whether the words are our own, and need not be searched for values that would be read as code. */
  readonly isVetted?: boolean;
}

/** The problem, and the word it is about. */
export interface WordProblem extends Problem {
  readonly word: number;
}

const mostWords = 1000;

/**
 * Reads the words of a command. Each `{name}` becomes the value of that parameter, and exactly one argument:
 *
 * - `{file}` and `--file={file}` go away where there is no value; for a list, they are there once for each item.
 * - `--file` and then `{file}` go away, and come again, together.
 * - `{verbose?--verbose}` is `--verbose` where the value is true, and nothing where it is not.
 * - `{{` and `}}` are braces.
 */
export function readTemplate(template: Template): Parsed<readonly Slot[]> | WordProblem {
  const { words, begins, parameters, stdin, isVetted = false } = template;
  if (words.length > mostWords) return problem(`more than ${mostWords} words`, 'Put them into a script.');
  const read: Word[] = [];
  for (const [index, text] of words.entries()) {
    const word = readWord(text);
    const wrong = word.ok ? wordProblem(word.value, parameters) : word;
    if (wrong !== null) return { ...wrong, word: index };
    if (word.ok) read.push(word.value);
  }
  const wrong =
    (begins === 'with a program' ? programProblem(read) : null) ??
    (isVetted ? null : readAsCode(read, parameters, stdin));
  return wrong === null ? parsed(slotsOf(read)) : { ...wrong, word: 0 };
}

function programProblem([program]: readonly Word[]): Problem | null {
  const remedy = 'Begin the command with the name of a program, or with a file of the skill.';
  if (program === undefined) return problem('an empty command', remedy);
  if (program.parameter !== null) return problem('a value must not choose the program', remedy);
  if (program.before.trim() === '' || program.before.startsWith('-')) return problem('no program to run', remedy);
  return null;
}

/** The problem of a value that would be read as code. The first argument of a container is often a program too. */
function readAsCode(words: readonly Word[], parameters: JsonSchema, stdin: string | null): Problem | null {
  const open = words.flatMap((word, at) => {
    if (isChosen(word, parameters)) return [{ ...word, before: '0', parameter: null }];
    return isList(word, parameters) && !flag.test(words[at - 1]?.before ?? '') ? [word, word] : [word];
  });
  return codeProblem(open, stdin);
}

/** Whether a word can become several. */
function isList({ parameter }: Word, parameters: JsonSchema): boolean {
  const schema = parameter === null ? undefined : propertiesOf(parameters)[parameter];
  return schema !== undefined && isOfType(schema, 'array');
}

/** Whether the author has named all values of a parameter, or they are numbers: such a value is nobody's code. */
function isChosen({ parameter }: Word, parameters: JsonSchema): boolean {
  const schema = parameter === null ? undefined : propertiesOf(parameters)[parameter];
  if (schema === undefined) return false;
  return (
    isObject(schema) && (Array.isArray(schema['enum']) || schema['type'] === 'integer' || schema['type'] === 'number')
  );
}

function wordProblem({ before, parameter, after, whenTrue }: Word, parameters: JsonSchema): Problem | null {
  if ((before + after + (whenTrue ?? '')).includes('\0')) return problem('a NUL character', 'Remove it.');
  if (parameter === null) return null;
  const properties = propertiesOf(parameters);
  const schema = Object.hasOwn(properties, parameter) ? properties[parameter] : undefined;
  if (schema === undefined) {
    return problem(
      `{${parameter}} is not a parameter of this tool`,
      'Declare it under parameters, or correct its name.',
    );
  }
  if (whenTrue !== null && !isOfType(schema, 'boolean')) {
    return problem(`${shown(parameter)} is used as a switch and is not a boolean`, 'Declare it with type = "boolean".');
  }
  if (/^-+$/.test(before) || /^--[^=]*$/.test(before)) {
    const remedy = `Fix the option and give the value after "=", as in --name={${parameter}}.`;
    return problem(`a value must not become a part of an option's name`, remedy);
  }
  return null;
}

const flag = /^--?[\p{L}\p{N}][\p{L}\p{N}_-]*$/u;

function slotsOf(words: readonly Word[]): readonly Slot[] {
  const slots: Slot[] = [];
  let ended = false;
  for (let at = 0; at < words.length; at++) {
    const { before, parameter, after, whenTrue } = words[at] as Word;
    const next = words[at + 1];
    if (!ended && at > 0 && parameter === null && flag.test(before) && next !== undefined && isBare(next)) {
      slots.push({ before: '', parameter: next.parameter, after: '', flag: before, positional: true });
      at++;
    } else if (whenTrue !== null) {
      slots.push({ before: whenTrue, parameter, after: '', flag: null, positional: false, isSwitch: true });
    } else {
      const positional = parameter !== null && before === '' && !ended;
      slots.push({ before, parameter, after, flag: null, positional });
    }
    ended ||= parameter === null && before === '--';
  }
  return slots;
}

/** Whether a word is a value and nothing else. */
function isBare({ before, parameter, after, whenTrue }: Word): boolean {
  return parameter !== null && before === '' && after === '' && whenTrue === null;
}

/** The parameters that a command has a use for. */
export function parametersIn(slots: readonly Slot[]): ReadonlySet<string> {
  return new Set(slots.flatMap(({ parameter }) => (parameter === null ? [] : [parameter])));
}

/**
 * The command where its author wrote none: each parameter by its name, `--name=value`, in the order they were declared;
 * the one for standard input excepted.
 */
export function optionSlots(parameters: JsonSchema, stdin: string | null): readonly Slot[] {
  return Object.entries(propertiesOf(parameters))
    .filter(([name]) => name !== stdin)
    .map(([name, schema]) => {
      const isSwitch = isOfType(schema, 'boolean');
      const around = { parameter: name, after: '', flag: null, positional: false };
      return isSwitch
        ? { before: `--${name}`, ...around, isSwitch: true as const }
        : { before: `--${name}=`, ...around };
    });
}
