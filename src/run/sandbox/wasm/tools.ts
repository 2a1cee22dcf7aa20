import { attempt } from '../../../core/attempt.ts';
import type { Environment } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';
import type { Limits } from '../../policy/types.ts';
import { execute } from './child.ts';
import { type ComponentSource, componentSetup, describedBy } from './component.ts';
import { createContext, needsSandbox, type WasmOptions } from './context.ts';

const megabyte = 1024 * 1024;

/** Limits for asking a component about itself. */
const limits: Limits = {
  timeoutMs: 30_000,
  memoryBytes: 256 * megabyte,
  processes: 64,
  outputBytes: megabyte,
  scratchBytes: megabyte,
  fileBytes: megabyte,
  cpuSeconds: 30,
};

/** Returns the tools of a component: its functions by their types, or those that one of its functions lists. */
export async function componentTools(
  environment: Environment,
  options: WasmOptions,
  source: ComponentSource & { readonly skillFolder: string },
): Promise<ComponentTools> {
  const context = createContext(environment, options);
  const place = context.place();
  if (place.kind === 'memory') throw needsSandbox('components run', place.why);
  const described = describedTools(await describedBy(context.component(), source));
  if (described !== null) return described;
  // The component gets nothing of a run: no mounts, and an empty environment.
  const spec = { skillFolder: source.skillFolder, mounts: [], folder: 'scratch', limits } as const;
  const child = await context.start(await componentSetup(context.component(), source, spec));
  const output: Uint8Array[] = [];
  const outcome = await execute(child, {
    order: { tool: null, parameters: '{}', env: {} },
    stdin: null,
    limits,
    watcher: {
      onOutput: (stream, bytes) => void (stream === 'stdout' && output.push(bytes)),
      signal: new AbortController().signal,
    },
    began: performance.now(),
  });
  const isDone = typeof outcome !== 'string' && outcome.reason === 'exited' && outcome.exitCode === 0;
  if (isDone) return { tools: toolsIn(Buffer.concat(output).toString('utf8')), problems: [] };
  const why = typeof outcome === 'string' ? outcome : (outcome.message ?? `it ended with code ${outcome.exitCode}`);
  throw new SkillError('unreadable', `the WebAssembly component does not list its tools: ${why}`, {
    hint: 'Its function get-tools must return them.',
  });
}

/** A tool described by a component, in our own terms. */
interface ComponentTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of type object; null if it is called like a program, with `args` and `stdin`. */
  readonly parameters: Readonly<Record<string, unknown>> | null;
  readonly output: 'text' | 'json';
}

export interface ComponentTools {
  readonly tools: readonly ComponentTool[];
  /** Reasons why some of its functions are not among them. */
  readonly problems: readonly string[];
}

/** The tools that are known from the types of a component's functions; null if the component has to be asked. */
function describedTools(described: unknown): ComponentTools | null {
  const { tools, problems } = recordFrom(described);
  if (tools === null) return null;
  if (!Array.isArray(tools) || !Array.isArray(problems)) throw unreadable('a list of tools');
  return {
    tools: tools.map((entry) => {
      const { name, description, parameters, output } = recordFrom(entry);
      if (typeof name !== 'string') throw unreadable('the name of a tool');
      return {
        name,
        description: textOf(description),
        parameters: parameters === null ? null : recordFrom(parameters),
        output: output === 'json' ? 'json' : 'text',
      };
    }),
    problems: problems.map(String),
  };
}

/** JSON Schemas of parameter types; any other type says nothing about a value. */
const types: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  string: { type: 'string' },
  secret: { type: 'string' },
  file: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  array: { type: 'array' },
  object: { type: 'object' },
};

/** Parses the tools in the answer of `get-tools`. Throws if it is anything else. */
export function toolsIn(answer: string): readonly ComponentTool[] {
  const list = unwrapped(parsed(answer));
  if (!Array.isArray(list)) throw unreadable('a list of tools');
  return list.map((entry) => toolFrom(entry));
}

function toolFrom(entry: unknown): ComponentTool {
  const { name, description, parameters } = recordFrom(entry);
  if (typeof name !== 'string' || name === '') throw unreadable('the name of a tool');
  const listed = Array.isArray(parameters) ? parameters.map(recordFrom) : [];
  const named = listed.flatMap((one) => (typeof one['name'] === 'string' ? [[one['name'], one] as const] : []));
  return {
    name,
    description: textOf(description),
    output: 'text',
    parameters: {
      type: 'object',
      properties: Object.fromEntries(named.map(([key, one]) => [key, schemaOf(one)])),
      required: named.filter(([, one]) => one['required'] === true).map(([key]) => key),
      additionalProperties: false,
    },
  };
}

function schemaOf(parameter: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const type = textOf(spelled(parameter, 'param-type')).toLowerCase();
  const description = textOf(parameter['description']);
  const fallback = spelled(parameter, 'default-value');
  return {
    ...types[type],
    ...(description === '' ? {} : { description }),
    ...(fallback === undefined || fallback === null ? {} : { default: defaultOf(fallback, type) }),
  };
}

/** Reads a property in the spelling of WIT, JavaScript or Rust. */
function spelled(record: Readonly<Record<string, unknown>>, name: string): unknown {
  const camel = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return record[name] ?? record[camel] ?? record[name.replaceAll('-', '_')];
}

/** Parses a default value, which comes as text whatever its type. */
function defaultOf(fallback: unknown, type: string): unknown {
  const isText = type === '' || type === 'string' || type === 'secret' || type === 'file';
  if (typeof fallback !== 'string' || isText) return fallback;
  return attempt(() => JSON.parse(fallback), fallback);
}

function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { ok, tools } = value as Record<string, unknown>;
  return ok ?? tools ?? value;
}

function recordFrom(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw unreadable('a description');
  return value as Record<string, unknown>;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable('JSON');
  }
}

function unreadable(what: string): SkillError {
  return new SkillError('unreadable', `the WebAssembly component does not describe its tools: ${what} was expected`, {
    hint: 'Its function get-tools must return a JSON list of tools.',
  });
}
