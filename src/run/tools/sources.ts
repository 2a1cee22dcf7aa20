import { sep } from 'node:path';
import { type Diagnostic, diagnostic } from '../../core/diagnostics.ts';
import { realPathOf } from '../../core/disk/files.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { cut } from '../../core/text/text.ts';
import type { Skill } from '../../skill/types.ts';
import { union } from '../policy/capabilities.ts';
import { describedTool } from './described-tools.ts';
import type { HeadingTool } from './headings.ts';
import { neededBy, type Surroundings, toolFrom } from './manifest/tool-keys.ts';
import { type Call, runtimeOf, sharedTarget, type Target, workFor } from './manifest/tool-work.ts';
import { schemaProblem } from './parameters/schema-check.ts';
import { plainParameters } from './parameters/schema-parts.ts';
import { fileOf, type WasmFiles, wasmIn } from './skill-files.ts';
import type { JsonSchema, SkillTool, Toolbox, Work } from './types.ts';
import { wrappedBy } from './wrapped-programs.ts';

/** A skill whose tools are asked for. */
export interface ToolSkill extends Pick<Skill, 'id' | 'name' | 'fullName' | 'file'>, Partial<Pick<Skill, 'location'>> {
  /** A copy of its files, where that is to be read in place of its own folder. */
  readonly copy?: string;
}

/** A tool as a component describes it. */
interface ComponentTool {
  readonly name: string;
  readonly description: string;
  /** The schema of its parameters; null where it is called like a program. */
  readonly parameters: JsonSchema | null;
  readonly output: SkillTool['output'];
}

export interface ComponentTools {
  readonly tools: readonly ComponentTool[];
  /** Reasons why some of its functions are not among them. */
  readonly problems: readonly string[];
}

export type ReadComponent = (file: string) => Promise<ComponentTools>;

/** The tools of a skill and where they were found. */
export interface Found {
  readonly source: Toolbox['source'];
  /** The file that declares them, where that is not a manifest. */
  readonly file: string | null;
  readonly tools: readonly SkillTool[];
  readonly problems: readonly Diagnostic[];
  readonly looked: readonly string[];
}

const nothing: Found = { source: 'none', file: null, tools: [], problems: [], looked: [] };
const most = 200;

/** The tools of the first that has any: a manifest, a component, what the skill is run in, its scripts, a module. */
export async function foundTools(
  skill: ToolSkill,
  around: Surroundings,
  read: ReadComponent | undefined,
): Promise<Found> {
  const { declared } = around;
  if (declared.tools.size > 0) return fromManifest(around);
  const wasm = wasmIn(skill, around);
  const { component, module } = wasm;
  if (component !== null) return fromComponent(component, around, read);
  const runtime = module !== null && around.scripts.size === 0 ? 'wasm' : runtimeOf(declared);
  if (runtime === 'native') return withWasm(fromScripts(skill, around, module), wasm, around);
  const shared = runtime === 'wasm' ? { ...declared, runtime, module: declared.module ?? module } : declared;
  const found = fromShared(skill, { ...around, declared: shared });
  return withWasm(
    declared.module === null && module !== null ? { ...found, ...byModule(found, module, around) } : found,
    wasm,
    around,
  );
}

function fromManifest(around: Surroundings): Found {
  const { declared } = around;
  const places = [...declared.tools].slice(0, most);
  const tools = places.flatMap(([name, place]) => toolFrom(name, place, around) ?? []);
  const isOwn = places.some(([, place]) => place.path[0] === 'tools' || place.path[0] === 'skill');
  return { ...nothing, source: isOwn ? 'skill.toml' : 'project manifest', tools };
}

async function fromComponent(file: string, around: Surroundings, read: ReadComponent | undefined): Promise<Found> {
  const real = realPathOf(around.folder + sep + file);
  const path = real.ok ? real.value : around.folder + sep + file;
  const found: Found = { ...nothing, source: 'component', file: path, looked: [path] };
  if (read === undefined) {
    const remedy = 'Declare them in skill.toml.';
    return { ...found, problems: [diagnostic('tool-empty', path, 'its tools cannot be read here', remedy)] };
  }
  try {
    const { tools, problems } = await read(path);
    const work: Work = { kind: 'component', file };
    return {
      ...found,
      tools: tools.slice(0, most).flatMap((tool) => componentTool(tool, work, around) ?? []),
      problems: problems.slice(0, most).map((problem) => {
        const remedy = 'Export a function whose types can be written as JSON, or ignore this.';
        return diagnostic('tool-empty', path, cut(problem, 300), remedy);
      }),
    };
  } catch (error) {
    const remedy = (error instanceof SkillError ? error.hint : undefined) ?? 'Declare its tools in skill.toml.';
    return { ...found, problems: [diagnostic('component-unusable', path, cut(reasonOf(error), 300), remedy)] };
  }
}

/** Makes a tool as the component describes it, or as its heading does. */
function componentTool(tool: ComponentTool, work: Work, around: Surroundings): SkillTool | null {
  const { name, parameters, output } = tool;
  if (parameters !== null && schemaProblem(parameters) !== null) return null;
  const description = headingFor(name, around)?.description || cut(tool.description, 2000);
  const plain = plainTool(around, work);
  return { ...plain, name, description, output, ...(parameters !== null && { parameters, stdin: null }) };
}

/** The source of tools that come from a module no manifest mentions. */
function byModule({ source }: Found, module: string, { folder }: Surroundings): Partial<Found> {
  return source === 'skill.toml' ? { source: 'module', file: folder + sep + module } : {};
}

/** Reports files that are called as a module would be, and are none: they were damaged on their way or never built. */
function withWasm(found: Found, { looked, unusable }: WasmFiles, { folder }: Surroundings): Found {
  const remedy = 'Build it again, or remove it.';
  const problems = unusable.map(({ file, message }) => diagnostic('tool-empty', folder + sep + file, message, remedy));
  return { ...found, problems: [...found.problems, ...problems], looked: [...found.looked, ...looked] };
}

/** The tools of a module or an image that declares none: those of the headings, or else itself. */
function fromShared(skill: ToolSkill, around: Surroundings): Found {
  const runtime = runtimeOf(around.declared);
  const target = runtime === 'native' ? null : sharedTarget(runtime, around.declared);
  if (target === null || !target.ok) {
    const problems =
      target === null || target.ok
        ? []
        : [diagnostic('tool-empty', skill.file, `the skill ${target.message}`, target.remedy)];
    return { ...nothing, problems };
  }
  const declared = [...around.headings.values()].filter(({ parameters }) => parameters !== null);
  const made =
    declared.length > 0
      ? declared.map((tool) => headingTool(tool, target.value, around))
      : [itself(target.value, around)];
  const problems = made.flatMap((one) =>
    'message' in one ? [diagnostic('manifest-invalid', skill.file, one.message, one.remedy)] : [],
  );
  const tools = made.flatMap((one) => ('message' in one ? [] : [one]));
  return declared.length > 0
    ? { ...nothing, source: 'SKILL.md', file: skill.file, tools, problems }
    : { ...nothing, source: 'skill.toml', tools, problems };
}

type Made = SkillTool | { readonly message: string; readonly remedy: string };

function headingTool({ name, description, parameters }: HeadingTool, target: Target, around: Surroundings): Made {
  const begin = target.kind === 'script' ? [] : [...around.declared.words, name];
  return made({ name, description }, target, around, { begin, parameters: parameters ?? plainParameters });
}

/** The tool for a program that is called like any other. */
function itself(target: Target, around: Surroundings): Made {
  const what = target.kind === 'container' ? `the container image ${target.image}` : 'the module of this skill';
  const begin = target.kind === 'container' ? around.declared.words : [];
  return made({ name: 'run', description: `Runs ${what}.` }, target, around, { begin, parameters: plainParameters });
}

function made(
  named: { readonly name: string; readonly description: string },
  target: Target,
  around: Surroundings,
  call: Pick<Call, 'begin' | 'parameters'>,
): Made {
  const stdin = call.parameters === plainParameters ? 'stdin' : null;
  const work = workFor(target, { ...call, words: null, stdin, folder: around.folder });
  if (!work.ok) return work;
  const tool = plainTool(around, work.value);
  return { ...tool, name: named.name, description: named.description, parameters: call.parameters, stdin };
}

/** A tool for each script, as its heading describes it if there is one. */
function fromScripts(skill: ToolSkill, around: Surroundings, module: string | null): Found {
  const { file } = skill;
  const scripts = [...around.scripts.values()];
  const described = scripts.map((script) => headingFor(script.name, around));
  const tools = scripts.flatMap((script, index) => {
    const heading = described[index];
    const description = heading?.description || script.description;
    const target: Target = { kind: 'script', file: script.file, image: null };
    const tool = made({ name: heading?.name ?? script.name, description }, target, around, {
      begin: [],
      parameters: heading?.parameters ?? plainParameters,
    });
    return 'message' in tool ? [] : [tool];
  });
  const isDescribed = described.some((heading) => heading !== undefined);
  if (scripts.length === 0) return withProblems(fromDescriptions(skill, around), moduleBeside(module, around));
  const problems = [...emptyHeadings(file, around, described), ...moduleBeside(module, around)];
  if (tools.length === 0) return { ...nothing, problems };
  return { ...nothing, source: isDescribed ? 'SKILL.md' : 'scripts', file: isDescribed ? file : null, tools, problems };
}

/** Files that another product builds a module of; a heading does not say what they do. */
const sources = [
  ...['skill.js', 'skill.ts', 'src/skill.js', 'src/skill.ts', 'src/lib.rs', 'src/skill.py', 'skill.py'],
  'src/main.py',
];

/**
 * Tools that the text describes and nothing runs. They are those of the program that the skill is named after, if it has
 * a list of parameters for any of them; others may only speak of tools.
 */
function fromDescriptions(skill: ToolSkill, around: Surroundings): Found {
  const { file, name: called } = skill;
  const headings = [...around.headings.values()];
  const isWrapped = wrappedBy(called) !== undefined;
  const hasParameters = headings.some(({ parameters }) => parameters !== null);
  const source = isWrapped ? undefined : sources.find((path) => fileOf(around.folder, path).ok);
  const isSkillSource = headings.length > 0 && /(?:^|\/)skill\./.test(source ?? '');
  if (!isWrapped && !hasParameters && !isSkillSource) return nothing;
  if (source !== undefined) {
    const remedy = `Build ${source} to skill.wasm, or declare the tools in skill.toml.`;
    return { ...nothing, problems: [diagnostic('tool-empty', file, 'its tools are not built', remedy)] };
  }
  const made = headings.slice(0, most).map((heading) => ({ heading, tool: describedTool(called, heading) }));
  const tools = made.flatMap(({ heading: { name, description }, tool }): SkillTool[] => {
    if (!tool.ok) return [];
    const { work, parameters, stdin } = tool.value;
    return [{ ...plainTool(around, work), name, description, parameters, stdin }];
  });
  const problems = made.flatMap(({ heading: { name, line }, tool }) =>
    tool.ok
      ? []
      : [diagnostic('tool-empty', file, `the tool ${name}: ${tool.message}`, tool.remedy, { line, column: 1 })],
  );
  if (tools.length === 0) return { ...nothing, problems };
  return { ...nothing, source: 'SKILL.md', file, tools, problems };
}

function withProblems(found: Found, more: readonly Diagnostic[]): Found {
  return { ...found, problems: [...found.problems, ...more] };
}

/** The finding on a module beside scripts, which may load it, so that it need not be a tool. */
function moduleBeside(module: string | null, { folder }: Surroundings): Diagnostic[] {
  if (module === null) return [];
  const message = `${module} is not a tool, since the skill has scripts`;
  const remedy = `If it is meant to be one, declare it in skill.toml: [tools.NAME] with module = "${module}".`;
  return [diagnostic('tool-empty', folder + sep + module, message, remedy)];
}

/** The heading for a name, in which hyphens and underscores stand for each other. */
function headingFor(name: string, { headings }: Surroundings): HeadingTool | undefined {
  return headings.get(name) ?? headings.get(name.replaceAll('_', '-')) ?? headings.get(name.replaceAll('-', '_'));
}

/**
 * Findings on headings with nothing to run. One that lists parameters declares a tool; others may only speak of one.
 */
function emptyHeadings(
  file: string,
  { headings }: Surroundings,
  used: readonly (HeadingTool | undefined)[],
): Diagnostic[] {
  return [...headings.values()]
    .filter((heading) => heading.parameters !== null && !used.includes(heading))
    .map(({ name, line }) => {
      const remedy = `Add scripts/${name}.sh or the like, or [tools.${name}] with a command to skill.toml.`;
      return diagnostic('tool-empty', file, `the tool ${name} has nothing to run`, remedy, { line, column: 1 });
    });
}

function plainTool({ declared }: Surroundings, work: Work): SkillTool {
  return {
    name: '',
    description: '',
    parameters: plainParameters,
    work,
    stdin: 'stdin',
    output: 'text',
    capabilities: union(declared.capabilities, neededBy(work, declared.limits)),
    limits: declared.limits,
    folder: declared.folder ?? 'skill',
    readOnly: false,
    idempotent: false,
    labels: [],
  };
}
