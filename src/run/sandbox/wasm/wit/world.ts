import type { Outline } from './decode.ts';
import { type Field, integers, partsOf, type TypeOf, type WitFunction, type WitType } from './types.ts';

/** The way in which the tools of a component are called. */
export type World =
  /** Two functions, one that lists the tools and one that runs them. */
  | { readonly kind: 'listed'; readonly list: WitFunction; readonly run: WitFunction; readonly takes: 'json' | 'pairs' }
  /** One function per tool, by its name. */
  | { readonly kind: 'functions'; readonly functions: Readonly<Record<string, WitFunction>> };

/** The facts about a component that are known without running it. */
interface Described {
  readonly world: World;
  /** The tools; null if the component has to be asked. */
  readonly tools: readonly WitTool[] | null;
  /** Reasons why some of its functions are not tools. */
  readonly problems: readonly string[];
}

interface WitTool {
  readonly name: string;
  readonly description: string;
  /** The schema of the parameters; null for those of a program: `args` and `stdin`. */
  readonly parameters: Schema | null;
  readonly output: 'text' | 'json';
}

const mostParts = 2000;
const deepest = 50;

/** Describes the tools of a component. Throws if it needs an import that nobody offers. */
export function describeWorld({ needs, functions }: Outline, offered: ReadonlySet<string>): Described {
  const missing = needs.filter((name) => !offered.has(name.replace(/@0\.2\.\d+$/, '')));
  if (missing.length > 0)
    throw new Error(`it imports ${missing.join(', ')}, which is not available to components here`);
  return listedWorld(functions) ?? functionsWorld(functions);
}

/** Tells whether a function starts a program by the standard interface, which takes its arguments from elsewhere. */
export function isProgram({ name, interface: place }: WitFunction): boolean {
  return name === 'run' && place !== null && /^wasi:cli\/run(?:@|$)/.test(place);
}

function listedWorld(functions: readonly WitFunction[]): Described | null {
  const run = functions.find(({ name, parameters }) => name === 'execute-tool' && takenBy(parameters) !== null);
  const list = functions.find(
    (one) => one.name === 'get-tools' && one.interface === run?.interface && one.parameters.length === 0,
  );
  const takes = run === undefined ? null : takenBy(run.parameters);
  if (run === undefined || list === undefined || takes === null) return null;
  const problem = problemOf(run) ?? problemOf(list);
  if (problem !== null) throw new Error(problem);
  return { world: { kind: 'listed', list, run, takes }, tools: null, problems: [] };
}

/** The form in which a function takes parameters after the name of the tool: as JSON, or as names with their values. */
function takenBy(parameters: WitFunction['parameters']): 'json' | 'pairs' | null {
  const forms = { '["string","string"]': 'json', '["string","list<tuple<string,string>>"]': 'pairs' } as const;
  const written = JSON.stringify(parameters.map(([, type]) => brief(type)));
  return written in forms ? forms[written as keyof typeof forms] : null;
}

function brief(type: WitType): string {
  if (type.kind !== 'list' || type.of.kind !== 'tuple') return type.kind;
  return `list<tuple<${type.of.of.map(({ kind }) => kind).join()}>>`;
}

function functionsWorld(functions: readonly WitFunction[]): Described {
  if (functions.length === 0) throw new Error('it exports no function');
  const judged = functions.map((one) => ({ one, problem: problemOf(one) }));
  const problems = judged.flatMap(({ problem }) => problem ?? []);
  const named = withToolNames(judged.filter(({ problem }) => problem === null).map(({ one }) => one));
  return {
    world: { kind: 'functions', functions: Object.fromEntries(named) },
    tools: named.map(([name, one]) => ({
      name,
      description: `Calls ${one.name}${one.interface === null ? '' : ` of ${one.interface}`}.`,
      parameters: isProgram(one) ? null : schemaOfFields(one.parameters),
      output: givesText(one) ? 'text' : 'json',
    })),
    problems,
  };
}

/** Tells whether a function returns text, which is printed unchanged, as is the output of a program. */
function givesText({ result }: WitFunction): boolean {
  const type = result?.kind === 'result' ? result.ok : result;
  return type === null || type.kind === 'string' || type.kind === 'char' || type.kind === 'enum';
}

/** Names each tool by its function if no other has that name, and else with its interface in front. */
function withToolNames(functions: readonly WitFunction[]): readonly (readonly [string, WitFunction])[] {
  const names = countOf(functions.map(({ name }) => name));
  const places = new Set(functions.flatMap(({ interface: place }) => place ?? []));
  const shorts = countOf([...places].map(shortOf));
  return functions.map((one) => {
    const { name, interface: place } = one;
    if (place === null || names.get(name) === 1) return [name, one];
    const short = shortOf(place);
    return [`${shorts.get(short) === 1 ? short : place.replace(/[^a-z0-9]+/gi, '-')}-${name}`, one];
  });
}

/** The short name of an interface: `types` for `a:b/types@1.0.0`. */
function shortOf(place: string): string {
  const [path = ''] = place.split('@');
  return path.slice(path.indexOf('/') + 1);
}

/** Counts each text: a component may have more functions than can be compared with each other. */
function countOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Returns why a function cannot be a tool; null if it can. */
function problemOf({ name, parameters, result }: WitFunction): string | null {
  const refused = (what: string) => `${name} is not a tool: it takes or returns ${what}, which is not supported`;
  if (name.startsWith('[')) return refused('a resource');
  const types = [...parameters.map(([, type]) => type), ...(result === null ? [] : [result])];
  let parts = 0;
  const unfit = (type: WitType, depth: number): string | null => {
    parts += 1;
    if (parts > mostParts || depth > deepest) return 'a type with too many parts';
    if (type.kind === 'unsupported') return type.what;
    for (const part of partsOf(type)) {
      const found = unfit(part, depth + 1);
      if (found !== null) return found;
    }
    return null;
  };
  for (const type of types) {
    const found = unfit(type, 0);
    if (found !== null) return refused(found);
  }
  return null;
}

type Schema = { readonly [key: string]: unknown };

/** The JSON Schema of a function's parameters, by their names. */
function schemaOfFields(fields: readonly Field[]): Schema & { readonly type: 'object' } {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, type]) => [name, schemaOf(type)])),
    required: fields.filter(([, type]) => type.kind !== 'option').map(([name]) => name),
    additionalProperties: false,
  };
}

const integer = (kind: keyof typeof integers): Schema => {
  const [minimum, maximum] = integers[kind];
  return { type: 'integer', minimum, maximum };
};

const schemas: { readonly [K in WitType['kind']]: (type: TypeOf<K>) => Schema } = {
  bool: () => ({ type: 'boolean' }),
  f32: () => ({ type: 'number' }),
  f64: () => ({ type: 'number' }),
  string: () => ({ type: 'string' }),
  char: () => ({ type: 'string', minLength: 1, maxLength: 1 }),
  s8: () => integer('s8'),
  u8: () => integer('u8'),
  s16: () => integer('s16'),
  u16: () => integer('u16'),
  s32: () => integer('s32'),
  u32: () => integer('u32'),
  s64: () => longInteger('^-?[0-9]{1,19}$', Number.MIN_SAFE_INTEGER),
  u64: () => longInteger('^[0-9]{1,20}$', 0),
  list: ({ of }) => ({ type: 'array', items: schemaOf(of) }),
  option: ({ of }) => ({ anyOf: [schemaOf(innerOf(of)), { type: 'null' }] }),
  tuple: ({ of }) => ({ type: 'array', prefixItems: of.map(schemaOf), minItems: of.length, maxItems: of.length }),
  record: ({ fields }) => schemaOfFields(fields),
  variant: ({ cases }) => ({ oneOf: cases.map(([name, payload]) => caseSchema(name, payload)) }),
  enum: ({ names }) => ({ type: 'string', enum: names }),
  flags: ({ names }) => ({ type: 'array', items: { type: 'string', enum: names }, uniqueItems: true }),
  result: ({ ok, err }) => ({ oneOf: [only('ok', ok), only('err', err)] }),
  unsupported: () => ({ not: {} }),
};

export function schemaOf(type: WitType): Schema {
  return (schemas[type.kind] as (type: WitType) => Schema)(type);
}

/**
 * Wraps an option inside another one, so that its null is not that of the outer one: `option<option<string>>` is null,
 * or has `some`, in which there may be null.
 */
export function innerOf(type: WitType): WitType {
  return type.kind === 'option' ? { kind: 'record', fields: [['some', type]] } : type;
}

function only(name: string, type: WitType | null): Schema {
  return {
    type: 'object',
    properties: { [name]: type === null ? { type: 'null' } : schemaOf(type) },
    required: [name],
    additionalProperties: false,
  };
}

function caseSchema(name: string, payload: WitType | null): Schema {
  return {
    type: 'object',
    properties: { tag: { const: name }, ...(payload !== null && { val: schemaOf(payload) }) },
    required: payload === null ? ['tag'] : ['tag', 'val'],
    additionalProperties: false,
  };
}

/** The schema of a 64-bit integer: a number where it is exact, or else a string of digits. */
function longInteger(pattern: string, minimum: number): Schema {
  const maximum = Number.MAX_SAFE_INTEGER;
  const description = `A 64-bit integer; beyond ${maximum} as a string of digits.`;
  return { type: ['integer', 'string'], minimum, maximum, pattern, description };
}
