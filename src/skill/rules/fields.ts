import type { DiagnosticCode, Position } from '../../kernel/diagnostics.ts';
import { oneLine } from '../../kernel/text.ts';
import { type Finding, kindOf, lengthOf } from './finding.ts';
import { nameRules } from './name.ts';
import type { Field } from './strict.ts';
import { hasCommas, spaceSeparated, toolsOf } from './tools.ts';
import { specFields, unknownField } from './unknown-fields.ts';

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
