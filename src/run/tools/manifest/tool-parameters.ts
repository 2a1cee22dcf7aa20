import type { HeadingTool } from '../headings.ts';
import { readParameters } from '../parameters/schema.ts';
import { noParameters, plainParameters } from '../parameters/schema-parts.ts';
import { readWord } from '../placeholders.ts';
import type { JsonSchema } from '../types.ts';
import type { Place } from './findings.ts';
import type { Target } from './tool-work.ts';

/** The declarations of a tool itself on its parameters. */
interface Said {
  readonly parameters?: Place;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly stdin?: string;
}

/** The parameters of a tool: its own, or its heading's, or those that its command names; undefined for wrong ones. */
export function parametersOf(said: Said, target: Target, heading: HeadingTool | undefined): JsonSchema | undefined {
  if (said.parameters !== undefined) return readParameters(said.parameters);
  if (heading?.parameters != null) return heading.parameters;
  const words = said.command ?? said.args;
  if (words === undefined && said.stdin === undefined && target.kind !== 'command') return plainParameters;
  return impliedBy(words ?? [], said.stdin);
}

/** The parameters that a command names, where none are declared: texts that have to be given. */
function impliedBy(words: readonly string[], stdin: string | undefined): JsonSchema {
  const named = [...words, ...(stdin === undefined ? [] : [`{${bare(stdin)}}`])].map(readWord);
  const properties = new Map<string, JsonSchema>();
  for (const word of named) {
    if (!word.ok || word.value.parameter === null) continue;
    properties.set(word.value.parameter, { type: word.value.whenTrue === null ? 'string' : 'boolean' });
  }
  const required = [...properties].filter(([, { type }]) => type === 'string').map(([name]) => name);
  return { ...noParameters, properties: Object.fromEntries(properties), ...(required.length > 0 ? { required } : {}) };
}

/** The name of the parameter in `{body}`, or `body`. */
function bare(stdin: string): string {
  return stdin.replace(/^\{(.*)\}$/s, '$1');
}

/** The parameter that goes to standard input. */
export function stdinOf(said: Said, parameters: JsonSchema): string | null {
  if (said.stdin !== undefined) return bare(said.stdin);
  return parameters === plainParameters ? 'stdin' : null;
}
