import { SkillError } from '../../../core/errors.ts';
import {
  anything,
  flag,
  integer,
  map,
  number,
  type ObjectSchema,
  object,
  optional,
  text as string,
} from '../../../core/schema/schema.ts';
import { shapingFields } from '../../../engine/running/shaping.ts';

/** A tool as clients see it, apart from the name and, for `skill`, the catalogue in its description. */
export interface ToolDefinition {
  readonly title: string;
  readonly description: string;
  readonly input: ObjectSchema;
  readonly outputSchema: {
    readonly type: 'object';
    readonly properties: object;
    readonly required?: readonly string[];
  };
}

/**
 * Annotations: none of the tools but one changes anything, and none reaches beyond this machine unless its settings
 * make it.
 */
export const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/**
 * Annotations for running a skill's tool, of unknown effect: it may change what it was granted, and reach granted
 * hosts.
 */
export const executing = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
} as const;

/**
 * Tools whose text is for models alone: they have structuredContent, and a schema of it, only where that is asked for.
 */
export const inText: readonly string[] = ['skill', 'skill-engine/execute'];

/** Tools that call the embedding service, where there is one. */
export const embedding: readonly string[] = ['skill-engine/search_skills'];

const text = { type: 'string' } as const;
const whole = { type: 'integer' } as const;

const skillFacts = {
  name: text,
  baseDirectory: text,
  path: text,
  location: text,
  provider: text,
  plugin: text,
  files: { type: 'array', items: text },
  fileCount: whole,
} as const;

const summary = {
  installName: text,
  meta: { type: 'object', properties: { name: text, description: text }, required: ['name', 'description'] },
  skillPath: text,
  skillFile: text,
} as const;

/** Definitions of all tools, by the name they are documented under. */
export const definitions = {
  skill: {
    title: 'Load Skill',
    description: '', // written anew for every catalogue
    input: object({
      name: string('Name of the skill to load (case-insensitive)', { min: 1 }),
      file: optional(
        string('A supporting file of that skill to read instead, as the skill refers to it: references/FORMS.md', {
          min: 1,
        }),
      ),
      offset: optional(integer('Where to continue in a long file, as the previous part says', { min: 0 })),
    }),
    outputSchema: {
      type: 'object',
      properties: {
        ...skillFacts,
        content: text,
        file: text,
        mimeType: text,
        size: whole,
        offset: whole,
        nextOffset: whole,
      },
      required: ['name', 'baseDirectory', 'path'],
    },
  },
  'skills.list': {
    title: 'List Skills',
    description: 'List every skill with its metadata, and with its text if asked for.',
    input: object({
      query: optional(string('Optional substring filter applied to install name, meta.name, or description')),
      includeBody: optional(flag('Include the SKILL.md body (minus YAML front-matter) in the structured payload')),
    }),
    outputSchema: {
      type: 'object',
      properties: {
        skills: {
          type: 'array',
          items: { type: 'object', properties: { ...summary, body: text }, required: Object.keys(summary) },
        },
      },
      required: ['skills'],
    },
  },
  'skills.search': {
    title: 'Search Skills',
    description: 'Find the skills that contain all of the given words in their name, metadata or text.',
    input: object({
      query: string('Keywords to match (all whitespace-separated tokens must be present)', { min: 1 }),
      limit: integer('Maximum number of hits', { min: 1, max: 25, default: 10 }),
    }),
    outputSchema: {
      type: 'object',
      properties: {
        query: text,
        limit: whole,
        total: whole,
        results: {
          type: 'array',
          items: {
            type: 'object',
            properties: { ...summary, score: whole, excerpt: text },
            required: [...Object.keys(summary), 'score', 'excerpt'],
          },
        },
      },
      required: ['query', 'limit', 'total', 'results'],
    },
  },
  'skill-engine/list_skills': {
    title: 'List Installed Skills',
    description: 'List the installed skills with their tools, a page at a time.',
    input: object(
      {
        limit: number('Maximum skills to return', { default: 50 }),
        offset: number('Pagination offset', { default: 0 }),
      },
      undefined,
      { open: true },
    ),
    outputSchema: {
      type: 'object',
      properties: {
        skills: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: text,
              description: text,
              provider: text,
              location: text,
              runtime: text,
              tools: { type: 'array', items: { type: 'object' } },
            },
            required: ['name', 'description', 'provider', 'location', 'runtime', 'tools'],
          },
        },
        total: whole,
        nextOffset: whole,
      },
      required: ['skills', 'total'],
    },
  },
  'skill-engine/search_skills': {
    title: 'Search Skills by Meaning',
    description: 'Find the skills that fit a task, by words and by meaning, in any language. Say what is to be done.',
    input: object(
      {
        query: string('Natural language search query'),
        top_k: number('Number of results', { default: 10 }),
      },
      undefined,
      { open: true },
    ),
    outputSchema: {
      type: 'object',
      properties: {
        query: text,
        top_k: whole,
        results: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: text,
              description: text,
              provider: text,
              location: text,
              plugin: text,
              path: text,
              score: { type: 'number', description: 'From 0 to 1' },
              weak: { type: 'boolean', description: 'No better than chance' },
              matchedBy: { type: 'array', items: text },
              passage: { ...text, description: 'The part that fits best, where its description does not say it' },
              copies: { type: 'array', items: { type: 'object', properties: { name: text, path: text } } },
              tools: { type: 'array', items: text, description: 'Those of its tools that fit' },
              bestTool: {
                type: 'object',
                description: 'The first of them: what it does, and the parameters it can do without',
                properties: { name: text, description: text, optional: { type: 'array', items: text } },
              },
              call: { type: 'object', description: 'The call that loads it, with the server and its tool' },
              execute: { type: 'object', description: 'The call that runs the first of its tools' },
              uri: text,
            },
            required: ['name', 'description', 'path', 'score', 'weak'],
          },
        },
        indexed: whole,
        total: whole,
        notes: { type: 'array', items: text },
      },
      required: ['query', 'top_k', 'results'],
    },
  },
  'skill-engine/execute': {
    title: 'Execute Skill Tool',
    description:
      'Execute a skill tool in a sandbox and get its output. list_skills of this server lists the tools and their parameters.',
    input: object(
      {
        skill_name: string('Name of the skill to execute'),
        tool_name: string('Name of the tool within the skill'),
        parameters: map(anything(), 'Tool-specific parameters'),
        instance: optional(string('One of the instances of the skill')),
        ...snakeCased(shapingFields),
      },
      undefined,
      { open: true },
    ),
    outputSchema: {
      type: 'object',
      properties: {
        id: text,
        skill: text,
        tool: text,
        exit_reason: text,
        exit_code: whole,
        stdout: text,
        stderr: text,
        value: {
          // Neither a list of types nor no type at all: some clients refuse either.
          anyOf: ['object', 'array', 'string', 'number', 'boolean', 'null'].map((type) => ({ type })),
          description: 'The output as data, instead of stdout',
        },
        message: text,
        hint: text,
        duration_ms: whole,
        limits: { type: 'object' },
        enforcement: { type: 'object' },
        denials: { type: 'array', items: text },
        job: { type: 'object' },
        jobs: { type: 'array', items: { type: 'object' } },
      },
    },
  },
} as const satisfies Readonly<Record<string, ToolDefinition>>;

/** The name in snake case, as this protocol writes it. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type SnakeCased<K> = K extends 'maxOutput' ? 'max_output' : K;
function snakeCased<F extends object>(fields: F): { readonly [K in keyof F as SnakeCased<K>]: F[K] } {
  const renamed = Object.entries(fields).map(([name, field]) => [snakeCase(name), field]);
  return Object.fromEntries(renamed) as never;
}

export type ToolId = keyof typeof definitions;
export const toolIds = Object.keys(definitions) as readonly ToolId[];

export type ToolNaming = 'documented' | 'portable';

/**
 * Reduces a name to letters, digits and underscores: every client accepts these, and clients that rewrite names do so
 * too.
 */
export function portableName(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/g, '_');
}

/** The name under which a tool is listed. */
export function listedName(id: ToolId, naming: ToolNaming): string {
  return naming === 'portable' ? portableName(id) : id;
}

/** The tool that a name means, however it is spelled: `skills.list`, `skills/list` and `skills_list` are one. */
export function toolNamed(name: string): ToolId | undefined {
  const portable = portableName(name);
  return toolIds.find((id) => portableName(id) === portable);
}

/** The tools that configured names mean, each once, in the order given. `where` says who gave them. */
export function toolsNamed(names: readonly string[], where: string): readonly ToolId[] {
  const ids = names.map((name) => {
    const id = toolNamed(name);
    if (id !== undefined) return id;
    const hint = `Known tools: ${toolIds.join(', ')}.`;
    throw new SkillError('usage', `${where}: there is no tool '${name}'`, { hint });
  });
  return [...new Set(ids)];
}
