import { sep } from 'node:path';
import { entriesOf, statOf } from '../../core/disk/files.ts';
import type { Environment } from '../../core/environment.ts';
import { byText } from '../../core/text/text.ts';
import type { SkillTool } from '../../run/tools/types.ts';
import type { Skill } from '../../skill/types.ts';
import type { SkillSource } from './source.ts';

/** The sources of a skill's tools, beside its SKILL.md. */
type Part = 'manifest' | 'other manifest' | 'scripts';

const places: Readonly<Record<Part, string>> = {
  manifest: 'skill.toml',
  'other manifest': 'manifest.toml',
  scripts: 'scripts',
};
const parts = Object.keys(places) as readonly Part[];

/** Number of scripts in a mark: more are not offered as tools. */
const mostScripts = 200;

/** Cache of marks by skill: every scan makes a skill anew, and its mark is asked for several times in between. */
const known = new WeakMap<Skill, string>();

/**
 * The mark of a skill: the state of its tools' sources when the skill was found, empty for the many that have none. The
 * folders are those that a scan has entered, with how many levels it went on below each: where it would have entered
 * `scripts`, it need not be searched for again.
 */
export function toolMarkOf(skill: Skill, folders: ReadonlyMap<string, unknown>): string {
  const before = known.get(skill);
  if (before !== undefined) return before;
  const levels = folders.get(skill.id);
  const wasEntered = typeof levels === 'number' && levels > 0;
  const hasNone = wasEntered && !folders.has(skill.id + sep + places.scripts);
  const mark = markOf(skill.id, hasNone ? parts.filter((part) => part !== 'scripts') : parts);
  known.set(skill, mark);
  return mark;
}

/** Tells whether all sources in a mark are unchanged. */
export function hasToolMark(folder: string, mark: string): boolean {
  const marked = parts.filter((part) => mark.includes(`${places[part]}:`));
  return markOf(folder, marked) === mark;
}

function markOf(folder: string, wanted: readonly Part[]): string {
  return wanted.map((part) => lookOf(folder, part)).join('');
}

function lookOf(folder: string, part: Part): string {
  const path = folder + sep + places[part];
  const look = signOf(path, places[part]);
  if (look === '' || part !== 'scripts') return look;
  const entries = entriesOf(path);
  const names = entries.ok ? entries.value.filter((entry) => !entry.isDirectory()).map(({ name }) => name) : [];
  const scripts = names.sort(byText).slice(0, mostScripts);
  return look + scripts.map((name) => signOf(path + sep + name, name)).join('');
}

/** The size and times of a file. A copy on another disk is indexed again, which costs less than reading it first. */
function signOf(path: string, name: string): string {
  const stats = statOf(path);
  return stats.ok ? `${name}:${stats.value.size}:${stats.value.mtimeMs}:${stats.value.ctimeMs}\n` : '';
}

/** The tools that a skill brings, whichever project it is used in: projects share an index. */
export async function ownToolsOf(skill: SkillSource, environment: Environment): Promise<readonly SkillTool[]> {
  const { toolboxOf } = await import('../../run/tools/toolbox.ts');
  const { tools } = await toolboxOf(skill, withoutProject(environment));
  return tools;
}

/** The environment without its project, and as plain data, so that it can be handed to another thread. */
export function withoutProject(environment: Environment): Environment {
  return { ...environment, env: { ...environment.env }, cwd: '/' };
}

/** The searched text of a skill's tools: each by its name and what it does. */
export function toolTextOf(tools: readonly Pick<SkillTool, 'name' | 'description'>[]): string {
  return tools.map(({ name, description }) => `${name}\n${description}`).join('\n');
}
