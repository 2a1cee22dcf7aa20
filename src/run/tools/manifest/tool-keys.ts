import { shown } from '../../../core/schema/parsed.ts';
import { cut } from '../../../core/text/text.ts';
import { isEmpty, narrow, noCapabilities, textsOf, union } from '../../policy/capabilities.ts';
import { limitRules } from '../../policy/limits.ts';
import { parseLabel } from '../../policy/names.ts';
import type { Capabilities, Limits } from '../../policy/types.ts';
import type { HeadingTool } from '../headings.ts';
import { readParameters } from '../parameters/schema.ts';
import { noParameters, plainParameters, propertiesOf } from '../parameters/schema-parts.ts';
import { readWord } from '../placeholders.ts';
import type { Script } from '../scripts.ts';
import { parametersIn } from '../template.ts';
import type { JsonSchema, SkillTool, Work } from '../types.ts';
import { readCapabilities } from './capability-keys.ts';
import type { Declared } from './declared.ts';
import { image, wordList } from './docker-keys.ts';
import { type Place, refuse, within } from './findings.ts';
import { limitKeys, limitsIn, readLimits } from './limits.ts';
import { choice, each, inner, onOff, type ReadBy, readTable, text } from './readers.ts';
import { programIn, type Target, targetOf, workFor } from './tool-work.ts';

/** The surroundings that a tool is made from, besides its own table. */
export interface Surroundings {
  /** The real folder of the skill. */
  readonly folder: string;
  readonly home: string;
  readonly declared: Declared;
  readonly headings: ReadonlyMap<string, HeadingTool>;
  readonly scripts: ReadonlyMap<string, Script>;
}

const toolKeys = {
  name: text,
  description: text,
  parameters: inner,
  command: wordList,
  args: wordList,
  script: text,
  module: text,
  image,
  stdin: text,
  output: choice('text', 'json'),
  folder: choice('skill', 'scratch'),
  capabilities: inner,
  limits: inner,
  resources: inner,
  read_only: onOff,
  idempotent: onOff,
  labels: each(parseLabel),
  ...limitKeys,
};

type Read = ReadBy<typeof toolKeys>;

/** The keys that say what is run. */
const workKeys = ['command', 'args', 'script', 'module', 'image'] as const;

const toolName = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63}$/u;

/** Reads `[tools.NAME]`; undefined where something in it is wrong, which is then reported. */
export function toolFrom(name: string, place: Place, around: Surroundings): SkillTool | undefined {
  const read = readTable(place, toolKeys);
  if (!toolName.test(name)) {
    const remedy = 'Use up to 64 letters, digits, ".", "_" and "-".';
    return refuse(place, { message: `${shown(name)} cannot be the name of a tool`, remedy });
  }
  // Problems with them have been reported, and must not be reported again as something that is missing.
  if (workKeys.some((key) => read[key] === undefined && within(place, key).value !== undefined)) return undefined;
  if (read.command !== undefined && read.args !== undefined) {
    return refuse(within(place, 'args'), {
      message: 'cannot be used together with command',
      remedy: 'Put all words into command.',
    });
  }
  const heading = around.headings.get(name);
  const target = targetOf(read, around.declared, around.scripts.get(name)?.file);
  if (!target.ok) return refuse(place, target);
  const parameters = parametersOf(read, target.value, heading);
  if (parameters === undefined) return undefined;
  const stdin = stdinOf(read, parameters);
  const work = workIn(name, place, read, { target: target.value, parameters, stdin, around });
  if (work === undefined || !usesAll(place, work, parameters, stdin)) return undefined;
  const { capabilities, limits } = askedBy(place, read, work, around);
  return {
    name,
    description: cut(read.description ?? heading?.description ?? '', 2000) || describe(work),
    parameters,
    work,
    stdin,
    output: read.output ?? 'text',
    capabilities,
    limits,
    folder: read.folder ?? around.declared.folder ?? 'skill',
    readOnly: read.read_only ?? false,
    idempotent: read.idempotent ?? read.read_only ?? false,
    labels: read.labels ?? [],
  };
}

interface Planned {
  readonly target: Target;
  readonly parameters: JsonSchema;
  readonly stdin: string | null;
  readonly around: Surroundings;
}

function workIn(name: string, place: Place, read: Read, planned: Planned): Work | undefined {
  const { target, parameters, stdin, around } = planned;
  if (stdin !== null && !Object.hasOwn(propertiesOf(parameters), stdin)) {
    const message = `${shown(stdin)} is not a parameter of this tool`;
    return refuse(within(place, 'stdin'), { message, remedy: 'Name a parameter: stdin = "{text}".' });
  }
  const words = read.command ?? read.args ?? null;
  const isShared = read.module === undefined && read.image === undefined && target.kind !== 'script';
  const begin = [
    ...(target.kind === 'container' ? around.declared.words : []),
    ...(words === null && isShared ? [name] : []),
  ];
  const work = workFor(target, { words, begin, parameters, stdin, folder: around.folder });
  if (work.ok) return work.value;
  const key = read.command === undefined ? 'args' : 'command';
  const at = 'word' in work && Array.isArray(within(place, key).value) ? within(within(place, key), work.word) : place;
  return refuse(words === null || at !== place ? at : within(place, key), work);
}

/** Whether all parameters are used. A parameter that nothing is done with is a slip, and callers would count on it. */
function usesAll(place: Place, work: Work, parameters: JsonSchema, stdin: string | null): boolean {
  if (work.kind === 'script' || work.kind === 'component') return true;
  const used = parametersIn(work.command);
  const unused = Object.keys(propertiesOf(parameters)).find((name) => name !== stdin && !used.has(name));
  if (unused === undefined) return true;
  const message = `the parameter ${shown(unused)} is not used`;
  refuse(place, { message, remedy: `Put {${unused}} into the command, or remove the parameter.` });
  return false;
}

function askedBy(
  place: Place,
  read: Read,
  work: Work,
  { declared, home }: Surroundings,
): { capabilities: Capabilities; limits: Partial<Limits> } {
  const own = readCapabilities(within(place, 'capabilities'), { home });
  const { exceeding } = narrow(declared.capabilities, own.capabilities);
  if (!isEmpty(exceeding)) {
    const more = Object.values(textsOf(exceeding)).flat().join(', ');
    const remedy = 'Ask for it in [capabilities] of the skill too: a tool can only have less than its skill.';
    refuse(within(place, 'capabilities'), { message: `asks for more than its skill: ${more}`, remedy });
  }
  const limits = {
    ...declared.limits,
    ...own.limits,
    ...readLimits(read.limits),
    ...readLimits(read.resources),
    ...limitsIn(read),
  };
  const asked = read.capabilities === undefined ? declared.capabilities : own.capabilities;
  return { capabilities: union(asked, neededBy(work, limits)), limits };
}

/** The capabilities that it takes to start a tool, and to use as much as it may. */
export function neededBy(work: Work, limits: Partial<Limits>): Capabilities {
  const program = programIn(work);
  return {
    ...noCapabilities,
    commands: program === null ? [] : [program],
    images: work.kind === 'container' ? [work.image] : [],
    limits: limitRules(limits),
  };
}

/** The description of a tool where nobody says what it does. */
function describe(work: Work): string {
  if (work.kind === 'container') return `Runs in the container image ${work.image}.`;
  if (work.kind === 'command') return `Runs ${work.command[0]?.before ?? ''}.`;
  return `Runs ${work.file}.`;
}

/** The declarations of a tool itself on its parameters. */
interface Said {
  readonly parameters?: Place;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly stdin?: string;
}

/** The parameters of a tool: its own, or its heading's, or those that its command names; undefined for wrong ones. */
function parametersOf(said: Said, target: Target, heading: HeadingTool | undefined): JsonSchema | undefined {
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
function stdinOf(said: Said, parameters: JsonSchema): string | null {
  if (said.stdin !== undefined) return bare(said.stdin);
  return parameters === plainParameters ? 'stdin' : null;
}
