import { basename, sep } from 'node:path';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { isThere, readRegularFile, realPathOf } from '../../core/disk/files.ts';
import { isInside } from '../../core/disk/paths.ts';
import { areUnchanged, type Signatures, signaturesAt } from '../../core/disk/signature.ts';
import type { Environment } from '../../core/environment.ts';
import { keepRecent } from '../../core/maps.ts';
import { union } from '../policy/capabilities.ts';
import type { Capabilities, RuntimeName } from '../policy/types.ts';
import { type HeadingTool, headingTools } from './headings.ts';
import { type Declared, merged, nothingDeclared } from './manifest/declared.ts';
import { type Manifest, manifestIn, manifestNames, readManifest } from './manifest/manifest.ts';
import {
  type ProjectManifest,
  projectManifestFile,
  readOwnEntry,
  readProjectManifest,
} from './manifest/project-manifest.ts';
import { neededBy, type Surroundings } from './manifest/tool-keys.ts';
import { runtimeOf, runtimeOfWork } from './manifest/tool-work.ts';
import { type Script, scriptsOf } from './scripts.ts';
import { type Found, foundTools, type ReadComponent, type ToolSkill } from './sources.ts';
import type { Toolbox } from './types.ts';

export type { ToolSkill } from './sources.ts';

export interface ToolboxHelp {
  /** Reads the tools that a WebAssembly component exports, given its path. */
  readonly componentTools?: ReadComponent;
}

const mostText = 2 * 1024 * 1024;
const mostKnown = 20_000;
const known = new Map<string, { readonly signatures: Signatures; readonly toolbox: Toolbox }>();

/**
 * All tools of a skill, wherever they are declared: in its `skill.toml`, by a WebAssembly component, in the project's
 * manifest, under headings of its SKILL.md, or by lying in `scripts/`. Never throws for what third parties wrote;
 * faults are listed in `problems`. Files that have not changed since are not read again.
 */
export async function toolboxOf(skill: ToolSkill, environment: Environment, help: ToolboxHelp = {}): Promise<Toolbox> {
  const project = projectManifestFile(environment);
  const key = JSON.stringify([skill.id, skill.copy, skill.name, project, help.componentTools !== undefined]);
  const before = known.get(key);
  if (before !== undefined && areUnchanged(before.signatures)) return before.toolbox;
  const began = Date.now();
  const { toolbox, looked } = await readToolbox(skill, environment, project, help);
  const signatures = signaturesAt(looked, began);
  if (signatures !== null) keepRecent(known, key, { signatures, toolbox }, mostKnown);
  return toolbox;
}

/**
 * The problems that the manifest of a skill would have if it were this text: those of its keys, and those of the tools
 * that it declares. Nothing is remembered.
 */
export async function manifestProblems(
  skill: ToolSkill,
  environment: Environment,
  name: string,
  text: string,
): Promise<readonly Diagnostic[]> {
  const manifest = await manifestIn(skill.id + sep + name, text, environment);
  const { toolbox } = await readToolbox(skill, environment, null, {}, manifest);
  return toolbox.problems.filter(({ file }) => file === manifest.file);
}

interface Read {
  readonly toolbox: Toolbox;
  /** Paths that were examined. */
  readonly looked: readonly string[];
}

async function readToolbox(
  asked: ToolSkill,
  environment: Environment,
  project: string | null,
  help: ToolboxHelp,
  draft: Manifest | null = null,
): Promise<Read> {
  const folder = asked.copy ?? asked.id;
  const skill = asked.copy === undefined ? asked : { ...asked, file: folder + sep + basename(asked.file) };
  const own =
    draft ?? (await readManifest(folder, environment)) ?? (await readOwnEntry(folder, skill.name, environment));
  const others = project === null ? null : await readProjectManifest(project, skill, environment, own?.declared.limits);
  const declared = merged(own?.declared ?? nothingDeclared, others?.declared ?? nothingDeclared);
  const { scripts, problems: scriptProblems, looked: scriptFiles } = scriptsOf(folder);
  const around: Surroundings = {
    folder,
    home: environment.home,
    declared,
    headings: new Map(headingsOf(skill.file, folder).map((tool) => [tool.name, tool])),
    scripts: byName(scripts),
  };
  const found = await foundTools(skill, around, help.componentTools);
  const problems = [
    ...(own?.problems ?? []),
    ...problemsOf(others, found),
    ...found.problems,
    ...scriptsMatter(found, scriptProblems),
  ];
  const looked = [
    folder,
    skill.file,
    ...manifestNames.map((name) => folder + sep + name).filter(isThere),
    ...scriptFiles,
    ...found.looked,
  ];
  return {
    toolbox: assembled(found, around, own, others, problems),
    looked: project === null ? looked : [...looked, project],
  };
}

/** The problems of a project's manifest. One that cannot be read at all is not every skill's trouble. */
function problemsOf(project: Manifest | null, { tools }: Found): readonly Diagnostic[] {
  if (project === null || (project.declared === nothingDeclared && tools.length === 0)) return [];
  return project.problems;
}

/** The problems of scripts, where they matter: where the tools come from elsewhere, scripts are only files. */
function scriptsMatter({ source }: Found, problems: readonly Diagnostic[]): readonly Diagnostic[] {
  return source === 'scripts' || source === 'SKILL.md' || source === 'none' ? problems : [];
}

function assembled(
  found: Found,
  { declared }: Surroundings,
  own: Manifest | null,
  others: ProjectManifest | null,
  problems: readonly Diagnostic[],
): Toolbox {
  const isBroken = problems.some(({ severity }) => severity === 'error');
  const tools = isBroken ? [] : found.tools;
  const isDeclared = own !== null || others !== null;
  const manifests: { readonly [S in Found['source']]?: Manifest | null } = {
    'skill.toml': own,
    'project manifest': others,
  };
  return {
    runtime: found.tools.length > 0 || isDeclared ? runtimeFor(found, declared) : 'none',
    source: found.source === 'skill.toml' && isOtherName(own) ? 'manifest.toml' : found.source,
    file: found.file ?? manifests[found.source]?.file ?? null,
    version: declared.version,
    tools,
    capabilities: union(declared.capabilities, ...tools.map(({ work, limits }) => neededBy(work, limits))),
    limits: declared.limits,
    instances: withUsual(declared),
    env: declared.env,
    outside: others === null ? {} : { [others.file]: others.digest },
    problems,
  };
}

function isOtherName(own: Manifest | null): boolean {
  return own !== null && basename(own.file) === 'manifest.toml';
}

/** The instances, with the one that is meant where none is named kept as `default`, too. */
function withUsual({ instances, usualInstance }: Declared): Toolbox['instances'] {
  const usual =
    usualInstance !== null && Object.hasOwn(instances, usualInstance) ? instances[usualInstance] : undefined;
  return usual === undefined ? instances : { ...instances, default: usual };
}

function runtimeFor({ tools }: Found, declared: Declared): RuntimeName {
  const [first] = tools;
  if (declared.runtime !== null || first === undefined) return runtimeOf(declared);
  return runtimeOfWork(first.work);
}

function headingsOf(file: string, folder: string): readonly HeadingTool[] {
  const real = realPathOf(file);
  const read = real.ok && isInside(folder, real.value) ? readRegularFile(real.value, mostText) : null;
  return read?.ok ? headingTools(read.value.bytes.toString('utf8')) : [];
}

function byName(scripts: readonly Script[]): ReadonlyMap<string, Script> {
  return new Map(scripts.map((script) => [script.name, script]));
}

/** The capabilities that a skill asks for as a whole: a grant is for all its tools, in all its instances. */
export function askedByAll({ capabilities, instances, tools }: Toolbox): Capabilities {
  const all = [...Object.values(instances), ...tools].map((one) => one.capabilities);
  return union(capabilities, ...all);
}
