import type { DiagnosticCode, Position } from '../../kernel/diagnostics.ts';
import { oneLine } from '../../kernel/text.ts';
import { type Finding, kindOf, lengthOf } from './finding.ts';
import { nameRules } from './name.ts';
import type { Field } from './strict.ts';
import { hasCommas, spaceSeparated, toolsOf } from './tools.ts';

/** The fields that the format defines. A strict reader refuses every other. */
const specFields: readonly string[] = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];

const claude = ['Claude Code'];

/** Fields that clients have added, and which clients. */
const clientFields: Readonly<Record<string, readonly string[]>> = {
  when_to_use: claude,
  'argument-hint': claude,
  arguments: claude,
  'disable-model-invocation': ['Claude Code', 'Cursor', 'OpenClaw', 'pi'],
  'user-invocable': ['Claude Code', 'OpenClaw'],
  'disallowed-tools': claude,
  model: claude,
  effort: claude,
  context: claude,
  agent: claude,
  background: claude,
  hooks: claude,
  paths: claude,
  shell: claude,
  'command-dispatch': ['OpenClaw'],
  'command-tool': ['OpenClaw'],
};

/** A field outside of the six: a misspelt one, a client's own, or data that has its place in `metadata`. */
function unknownField({ key, at }: Field): Finding {
  const code = 'rule-unknown-field';
  const shown = oneLine(key);
  const meant = specFields.find((field) => bare(field) === bare(key));
  if (meant !== undefined) {
    return { code, message: `"${shown}" is not a field of the format`, remedy: `Write ${meant} instead.`, at };
  }
  const clients = Object.hasOwn(clientFields, key) ? clientFields[key] : undefined;
  if (clients !== undefined) {
    const message = `"${shown}" is not a field of the format; it is one of ${clients.join(', ')}`;
    const remedy = 'Keep it if the skill is for that client alone; strict readers refuse the skill because of it.';
    return { code, message, remedy, at };
  }
  const message = `"${shown}" is not a field of the format`;
  return { code, message, remedy: 'Move it below metadata:, where any name with a text value is allowed.', at };
}

function bare(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, '');
}

type FieldRule = (field: Field, folder: string) => Iterable<Finding>;

/** The rules of each field that the format defines. */
const rules: Readonly<Record<string, FieldRule>> = {
  name: nameRules,
  description: textRule('rule-description', 1024, 'what it does and when to use it; details belong in the body'),
  compatibility: textRule('rule-compatibility', 500, 'what the skill needs to work'),
  license: textRule('rule-license', Number.POSITIVE_INFINITY, 'the name of the licence or of its file'),
  metadata: metadataRules,
  'allowed-tools': toolRules,
};

const required = { name: 'rule-name', description: 'rule-description' } as const;

/** Everything that is wrong with the fields of one front matter. */
export function* fieldRules(fields: readonly Field[], folder: string): Iterable<Finding> {
  const known = fields.filter((field) => !field.duplicate);
  for (const [key, code] of Object.entries(required)) {
    if (!known.some((field) => field.key === key && !isEmpty(field))) yield missing(key, code, known);
  }
  for (const field of known) {
    const isMissing = Object.hasOwn(required, field.key) && isEmpty(field);
    if (!specFields.includes(field.key)) yield unknownField(field);
    else if (!isMissing) yield* rules[field.key]?.(field, folder) ?? [];
  }
}

function missing(key: string, code: DiagnosticCode, fields: readonly Field[]): Finding {
  const at: Position = fields.find((field) => field.key === key)?.at ?? { line: 1, column: 1 };
  return { code, message: `${key} is missing or empty`, remedy: `Add a line ${key}: … to the front matter.`, at };
}

function isEmpty({ value }: Field): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

function textRule(code: DiagnosticCode, longest: number, content: string): FieldRule {
  return function* ({ key, value, valueAt }) {
    if (typeof value !== 'string') {
      const remedy = value === null ? `Say ${content}, or remove the field.` : `Write ${key} as one quoted string.`;
      yield { code, message: `${key} is ${kindOf(value)}, not text`, remedy, at: valueAt };
      return;
    }
    const length = lengthOf(value.trim());
    if (length === 0) {
      yield { code, message: `${key} is empty`, remedy: `Say ${content}, or remove the field.`, at: valueAt };
    } else if (length > longest) {
      const message = `${key} has ${length} characters; at most ${longest} are allowed`;
      yield { code, message, remedy: `Shorten it to ${content}.`, at: valueAt };
    }
  };
}

function* metadataRules({ value, valueAt, children }: Field): Iterable<Finding> {
  const code = 'rule-metadata';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const remedy = 'Write one name: "text" in each line below metadata:, or remove the field.';
    yield { code, message: `metadata is ${kindOf(value)}, not a map of strings`, remedy, at: valueAt };
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'string') continue;
    const message = `metadata contains "${oneLine(key)}", which is ${kindOf(item)} and not text`;
    const remedy = 'Put the value in quotes; other values can be stored as quoted JSON.';
    yield { code, message, remedy, at: children.get(key) ?? valueAt };
  }
}

function* toolRules({ value, valueAt }: Field): Iterable<Finding> {
  const code = 'rule-allowed-tools';
  const tools = toolsOf(value);
  const wanted = tools === null ? null : spaceSeparated(tools);
  const remedy =
    wanted === null
      ? 'Write the tools in one line, separated by spaces, as in Read Bash(git:*).'
      : 'Separate the tools by spaces; repertoire validate --fix does it where it can.';
  if (typeof value !== 'string') {
    yield { code, message: `allowed-tools is ${kindOf(value)}, not one line of text`, remedy, at: valueAt };
  } else if (hasCommas(value)) {
    yield { code, message: 'allowed-tools is separated by commas, not by spaces', remedy, at: valueAt };
  }
}
