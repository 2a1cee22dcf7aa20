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
  const told = tool.parameters ?? (words === null ? noParameters : impliedBy(words));
  const schema = withKnown(told, tool.name, wrapped);
  const read = words === null ? { words: ruleWords(tool.name, schema, wrapped), schema } : rowWords(words, schema);
  const stdinAt = read.words.indexOf('<');
  const stdin = stdinAt === -1 ? null : (read.words[stdinAt + 1] ?? '').slice(1, -1);
  const given = stdinAt === -1 ? read.words : read.words.toSpliced(stdinAt, 2);
  const more = restOf(schema, read.words).flatMap((key) => optionWords(key, schema, wrapped));
  const end = given.indexOf('--');
  const slots = readTemplate({
    words: [
      name.value,
      ...given.slice(0, end === -1 ? undefined : end),
      ...more,
      ...(end === -1 ? [] : given.slice(end)),
    ],
    begins: 'with a program',
    parameters: read.schema,
    stdin,
    isVetted: row !== undefined,
  });
  if (!slots.ok) return slots;
  const spelled = (slot: Slot) => spelledOut(slot, tool.name, wrapped);
  const joined = slots.value.flatMap((slot, at): Slot[] => {
    if (isBehind(slot)) return [];
    const next = slots.value.slice(at + 1);
    const end = next.findIndex((one) => !isBehind(one));
    const more = next
      .slice(0, end === -1 ? undefined : end)
      .map(({ before, parameter }) => ({ before: before.slice(1), parameter: parameter ?? '' }));
    return more.length === 0 ? [slot] : [{ ...slot, more }];
  });
  const command = joined.map((slot, at) => spelled(lenient(parted(slot, words), read.schema, joined.slice(0, at))));
  const work: Work = { kind: 'command', command };
  return parsed({ work, parameters: read.schema, stdin });
}

/** Whether the word of a slot goes behind the one before it. */
function isBehind({ before, parameter }: Slot): boolean {
  return parameter !== null && before.startsWith('+');
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
    if (listed.test(word)) properties[name] = { ...bare, type: ['array', 'string'], items: { type: 'string' } };
    else if (word.includes('?') && !isOfType(property, 'boolean')) properties[name] = { ...bare, type: 'boolean' };
  }
  return { words: kept.map((word) => word.replace(listed, '}')), schema: { ...schema, properties } };
}

/** The end of a placeholder for a list. */
const listed = /(?:\.\.\.|,)\}$/;

function parameterOf(word: string): string | null {
  const read = readWord(word.replace(listed, '}'));
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

/** The parameters of a tool with what is known of them beside the text. */
function withKnown(schema: JsonSchema, tool: string, wrapped: WrappedProgram | undefined): JsonSchema {
  const properties = { ...propertiesOf(schema) };
  const required = new Set(requiredOf(schema));
  for (const [name, property] of Object.entries(properties)) {
    const { isRequired, ...known } = wrapped?.known?.[`${tool}.${name}`] ?? {};
    properties[name] = { ...property, ...known };
    if (isRequired === true) required.add(name);
    if (isRequired === false) required.delete(name);
  }
  const { required: _told, ...rest } = schema;
  return { ...rest, properties, ...(required.size > 0 ? { required: [...required] } : {}) };
}

/** Tells a slot how the row parts a text that stands for a list. */
function parted(slot: Slot, row: readonly string[] | null): Slot {
  const word = row?.find((one) => listed.test(one) && parameterOf(one) === slot.parameter);
  if (word === undefined || slot.parameter === null) return slot;
  return { ...slot, parts: word.endsWith(',}') ? 'commas' : 'words' };
}

/** Gives a slot the words that its program has for some values. */
function spelledOut(slot: Slot, tool: string, wrapped: WrappedProgram | undefined): Slot {
  const place = `${tool}.${slot.parameter}`;
  const spellings = wrapped?.spellings?.[place];
  return {
    ...slot,
    ...(spellings !== undefined && { spellings }),
    ...(wrapped?.times?.includes(place) && { isTime: true as const }),
  };
}

/**
 * Lets an option that is said to have a text be a switch, as callers write `follow=true`; and raw arguments be any, as the
 * words of a command may be behind an operand that is always there: programs look for no option of theirs from there on.
 */
function lenient(slot: Slot, schema: JsonSchema, before: readonly Slot[]): Slot {
  const property = slot.parameter === null ? undefined : propertiesOf(schema)[slot.parameter];
  const isBehind = before.some(({ parameter, positional, flag }) => {
    return parameter !== null && positional && flag === null && requiredOf(schema).includes(parameter);
  });
  if (slot.parts === 'words' && (slot.parameter === 'args' || isBehind)) return { ...slot, positional: false };
  const isRequired = slot.parameter !== null && requiredOf(schema).includes(slot.parameter);
  return slot.flag !== null && !isRequired && isOfType(property, 'string') ? { ...slot, orSwitch: true } : slot;
}
