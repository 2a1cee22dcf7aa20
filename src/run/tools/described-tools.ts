import { parsed, problem } from '../../core/schema/parsed.ts';
import { parseCommand } from '../policy/names.ts';
import type { HeadingTool } from './headings.ts';
import type { Made } from './manifest/tool-work.ts';
import { isOfType, noParameters, propertiesOf, requiredOf } from './parameters/schema-parts.ts';
import { readWord } from './placeholders.ts';
import { readTemplate } from './template.ts';
import type { JsonSchema, Slot, Work } from './types.ts';
import { type WrappedProgram, wrappedBy } from './wrapped-programs.ts';

/** A tool made of its description alone. */
export interface DescribedTool {
  readonly work: Work;
  readonly parameters: JsonSchema;
  readonly stdin: string | null;
}

/**
 * The command of a tool that SKILL.md describes and nothing runs: the program that the skill is named after, the tool as
 * its subcommand, and each parameter as `--key value`; those called `resource` or `arg` are operands. Each value is one
 * argument, however many words it has. Known programs have rows of their own.
 */
export function describedTool(skill: string, tool: HeadingTool): Made<DescribedTool> {
  const wrapped = wrappedBy(skill);
  if (wrapped?.left?.tools.includes(tool.name)) {
    const { program, left } = wrapped;
    return problem(`has no command: ${program} could obey what is in its values`, `Use the tool ${left.to}.`);
  }
  const row = wrapped?.tools?.[tool.name];
  const [program, words] = row === undefined ? [wrapped?.program ?? skill, null] : programIn(row, wrapped);
  const name = parseCommand(program);
  if (!name.ok) return problem(`has nothing to run: ${name.message}`, name.remedy);
  const schema = tool.parameters ?? (words === null ? noParameters : impliedBy(words));
  const read = words === null ? { words: ruleWords(tool.name, schema, wrapped), schema } : rowWords(words, schema);
  const stdinAt = read.words.indexOf('<');
  const stdin = stdinAt === -1 ? null : (read.words[stdinAt + 1] ?? '').slice(1, -1);
  const command = stdinAt === -1 ? read.words : read.words.toSpliced(stdinAt, 2);
  const more = restOf(schema, read.words).flatMap((key) => optionWords(key, schema, wrapped));
  const end = command.indexOf('--');
  const slots = readTemplate({
    words: [
      name.value,
      ...command.slice(0, end === -1 ? undefined : end),
      ...more,
      ...(end === -1 ? [] : command.slice(end)),
    ],
    begins: 'with a program',
    parameters: read.schema,
    stdin,
    isVetted: row !== undefined,
  });
  if (!slots.ok) return slots;
  const spelled = (slot: Slot) => spelledOut(slot, tool.name, wrapped);
  const work: Work = { kind: 'command', command: slots.value.map((slot) => spelled(lenient(slot, read.schema))) };
  return parsed({ work, parameters: read.schema, stdin });
}

/** The program that a row begins with, if it names another one, and the words after it. */
function programIn(row: string, wrapped: WrappedProgram | undefined): [program: string, words: readonly string[]] {
  const [first = '', ...rest] = row.split(' ');
  return first.endsWith(':') ? [first.slice(0, -1), rest] : [wrapped?.program ?? '', [first, ...rest]];
}

/** The words by the rule: subcommands, then the parameters in the order they were declared. */
function ruleWords(tool: string, schema: JsonSchema, wrapped: WrappedProgram | undefined): readonly string[] {
  const subcommands = wrapped?.splits ? tool.split('-') : [tool];
  return [...subcommands, ...Object.keys(propertiesOf(schema)).flatMap((key) => optionWords(key, schema, wrapped))];
}

const usualOperands = ['resource', 'arg'];

function optionWords(key: string, schema: JsonSchema, wrapped: WrappedProgram | undefined): readonly string[] {
  if (usualOperands.includes(key) || wrapped?.operands?.includes(key)) return [`{${key}}`];
  const dashed = wrapped?.keepsUnderscores ? key : key.replaceAll('_', '-');
  const option = key.length === 1 ? `-${key}` : `--${dashed}`;
  const property = propertiesOf(schema)[key];
  if (!isOfType(property, 'boolean')) return [option, `{${key}}`];
  // What is on by default has to be switched off in words.
  return property?.['default'] === true ? [`${option}={${key}}`] : [`{${key}?${option}}`];
}

/** The words of a row for the parameters that a tool has, and its parameters as the words want them. */
function rowWords(row: readonly string[], schema: JsonSchema): { words: readonly string[]; schema: JsonSchema } {
  const properties = { ...propertiesOf(schema) };
  const has = (word: string | undefined): boolean => {
    const name = parameterOf(word ?? '');
    return name === null || Object.hasOwn(properties, name);
  };
  const isPair = (at: number): boolean => /^(?:-|<$)/.test(row[at] ?? '') && /^\{[^?]*\}$/.test(row[at + 1] ?? '');
  const kept = row.filter((word, at) => has(word) && (!isPair(at) || has(row[at + 1])));
  for (const word of kept) {
    const name = parameterOf(word);
    const property = name === null ? undefined : properties[name];
    if (name === null || property === undefined) continue;
    const { enum: _choices, default: _default, ...bare } = property;
    if (word.includes('...')) properties[name] = { ...bare, type: 'array', items: { type: 'string' } };
    else if (word.includes('?') && !isOfType(property, 'boolean')) properties[name] = { ...bare, type: 'boolean' };
  }
  return { words: kept.map((word) => word.replace('...}', '}')), schema: { ...schema, properties } };
}

function parameterOf(word: string): string | null {
  const read = readWord(word.replace('...}', '}'));
  return read.ok ? read.value.parameter : null;
}

/** The parameters that no word of a row has a use for. */
function restOf(schema: JsonSchema, words: readonly string[]): readonly string[] {
  const used = new Set(words.map(parameterOf));
  return Object.keys(propertiesOf(schema)).filter((key) => !used.has(key));
}

/** The parameters that the words of a row name, where the text only names the tool. */
function impliedBy(words: readonly string[]): JsonSchema {
  const named = words.map(parameterOf).filter((name) => name !== null);
  return { ...noParameters, properties: Object.fromEntries(named.map((name) => [name, { type: 'string' }])) };
}

/** Gives a slot the words that its program has for some values. */
function spelledOut(slot: Slot, tool: string, wrapped: WrappedProgram | undefined): Slot {
  const spellings = wrapped?.spellings?.[`${tool}.${slot.parameter}`];
  return spellings === undefined ? slot : { ...slot, spellings };
}

/** Lets an option that is said to have a text be a switch, as callers write `follow=true`; and raw arguments be any. */
function lenient(slot: Slot, schema: JsonSchema): Slot {
  const property = slot.parameter === null ? undefined : propertiesOf(schema)[slot.parameter];
  if (slot.parameter === 'args' && isOfType(property, 'array')) return { ...slot, positional: false };
  const isRequired = slot.parameter !== null && requiredOf(schema).includes(slot.parameter);
  return slot.flag !== null && !isRequired && isOfType(property, 'string') ? { ...slot, orSwitch: true } : slot;
}
