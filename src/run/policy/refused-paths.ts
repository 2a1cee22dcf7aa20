import { basename, dirname } from 'node:path';
import { agentFolders } from '../../agents/folders.ts';
import { entriesOf, isAbsent, isThere, linkStatOf, realPathOf, statOf } from '../../core/disk/files.ts';
import { below, isInside } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { type Problem, problem, shown } from '../../core/schema/parsed.ts';
import { isPrivatePath, pathText } from './paths.ts';
import { keyNames, list, type RefusedPlace, refusedPlaces, unwritablePlaces } from './refused-places.ts';
import type { Mount, PathRule } from './types.ts';

/** The mount that a run gets for a rule: none where it has that anyway, or where there is nothing to see. */
type CheckedPath =
  | {
      readonly ok: true;
      readonly mount: Mount | null;
      readonly missing?: true;
      /** The place where it would be, if it is missing; null where a link stands there that leads nowhere. */
      readonly placeToBe?: string | null;
    }
  | Problem;

const narrower = 'Name something narrower.';
const elsewhere = 'Keep what the skill needs in a folder of its own, and name that.';

const homeInTmp = 'Your home folder is in /tmp. Set HOME to one elsewhere, or have the skill name a folder elsewhere.';

/** The folders in which people have their homes. */
const homes = ['/home', '/Users', '/var/home', '/export/home'];

/**
 * Resolves where a path really leads, and tells whether a run may see it. To be called when the grant is given and
 * again before each run: links change.
 */
export function checkPath(rule: PathRule, environment: Environment): CheckedPath {
  if (isPrivatePath(rule)) return { ok: true, mount: null };
  const real = realPathOf(rule.path);
  const isMissing = !real.ok && isAbsent(real.reason);
  if (!real.ok && !isMissing) {
    return problem(`${shown(rule.path)} cannot be checked (${real.reason})`, 'Correct the path, or its permissions.');
  }
  const place = real.ok ? real.value : placeToBe(rule.path);
  const source = place ?? rule.path;
  const places = [...refusedPlaces(environment), ...(rule.access === 'write' ? unwritablePlaces(environment) : [])];
  const refusal =
    refusalOf(rule.path, places) ??
    refusalOf(source, places) ??
    (rule.access === 'write' ? refusalToWrite(rule.path, source) : null) ??
    (isMissing ? null : refusalOfKind(source));
  if (refusal !== null) {
    const leads = source === rule.path ? '' : `, which leads to ${shown(source)},`;
    return problem(`${pathText(rule)}${leads} ${refusal[0]}`, remedyFor(rule, environment) ?? refusal[1]);
  }
  if (isMissing) return { ok: true, mount: null, missing: true, placeToBe: place };
  return { ok: true, mount: { source, target: rule.path, access: rule.access } };
}

/** The remedy for `~/x` where home is in /tmp, which its author does not see. */
function remedyFor({ path }: PathRule, { home }: Environment): string | null {
  return isInside('/tmp', home) && isInside(home, path) ? homeInTmp : null;
}

/** The place of a folder that is made at this path: no link may stand there. Null where one does that leads nowhere. */
function placeToBe(path: string): string | null {
  const stats = linkStatOf(path);
  if (!stats.ok && isAbsent(stats.reason) && path !== dirname(path)) {
    const folder = placeToBe(dirname(path));
    return folder === null ? null : below(folder, basename(path));
  }
  const real = realPathOf(path);
  return real.ok ? real.value : null;
}

type Refusal = readonly [message: string, remedy: string];

function refusalOf(path: string, places: readonly RefusedPlace[]): Refusal | null {
  if (path === '/') return ['is the whole machine', narrower];
  if (isInside('/tmp', path) || isInside('/private/tmp', path)) {
    return ['is in /tmp, and every run has a /tmp of its own', elsewhere];
  }
  if (isInside('/skill', path)) return ['is where every run sees its own skill', elsewhere];
  return places.map((place) => refusalBy(place, path)).find((one) => one !== null) ?? refusalForKeys(path);
}

/** Refuses a place, whatever lies in it, and whatever it lies in. */
function refusalBy({ path: place, holds }: RefusedPlace, path: string): Refusal | null {
  if (isInside(place, path)) return [`is in ${place}, which holds ${holds}`, elsewhere];
  return isInside(path, place) ? [`contains ${place}, which holds ${holds}`, narrower] : null;
}

/** Refuses keys of other people, and keys in unusual places. */
function refusalForKeys(path: string): Refusal | null {
  const key = path.split('/').find((part) => keyNames.has(part.toLowerCase()));
  if (key !== undefined) return [`is in a folder ${key}, which holds keys`, elsewhere];
  const isHome = homes.includes(dirname(path)) || path === '/root';
  if (isHome || homes.some((home) => isInside(path, home))) return ['contains a home folder', narrower];
  const held = [...keyNames].find((name) => isThere(below(path, name)));
  return held === undefined ? null : [`contains ${held}, which holds keys`, narrower];
}

function refusalToWrite(path: string, source: string): Refusal | null {
  return refusalOfNames(path) ?? refusalOfNames(source) ?? refusalOfContent(source);
}

/** Refuses what programs look for by its name, wherever it lies. Inside a writable folder it is refused as well. */
function refusalOfNames(path: string): Refusal | null {
  for (const name of path.split('/')) {
    const holds = guardedAs(name);
    if (holds !== null) return [`is in ${name}, which holds ${holds}`, elsewhere];
  }
  return null;
}

function refusalOfContent(path: string): Refusal | null {
  const entries = entriesOf(path);
  const what = entries.ok ? guardedByContent(entries.value.map(({ name }) => name)) : null;
  return what === null ? null : [`is ${what}, which programs run`, elsewhere];
}

function refusalOfKind(path: string): Refusal | null {
  const stats = statOf(path);
  if (stats.ok && (stats.value.isDirectory() || stats.value.isFile())) return null;
  return ['is neither a folder nor a regular file', 'Name a folder or a regular file.'];
}

/**
 * Files and folders that programs of the host look for by themselves, wherever somebody works, and run or obey what they find. A run
 * that may write to a folder may not write these: it would get out of its sandbox by way of the next `git status`, agent or editor.
 */
const table: Readonly<Record<string, readonly string[]>> = {
  'hooks and settings of Git': list(`
    .git, .gitconfig, .gitmodules, .husky, .githooks, .lefthook, lefthook.yml, .lefthook.yml, .pre-commit-config.yaml, .overcommit.yml
  `),
  'hooks and settings of a version control system': list(`
    .hg, .hgrc, .sl, .jj
  `),
  'settings and skills of agents': [
    ...agentFolders.flatMap(({ project }) => project.flatMap((path) => /^\.[^/]+/.exec(path) ?? [])),
    ...list(`
      .claude.json, .claude-plugin, .codex-plugin, .cursorrules, .windsurfrules, opencode.json, opencode.jsonc, .copilot, .goosehints,
      .roomodes, .aider.conf.yml, .amp, crush.json, .crush.json, .kimi, .codeium, .warp
    `),
  ],
  'instructions for agents': list(`
    AGENTS.md, AGENTS.override.md, CLAUDE.md, CLAUDE.local.md, GEMINI.md, QWEN.md
  `),
  'MCP servers': list(`
    .mcp.json, mcp.json, .mcp
  `),
  'tasks and settings of editors': list(`
    .vscode, .idea, .zed, .fleet, .vs, .devcontainer, .devcontainer.json, .nvim.lua, .nvimrc, .exrc, .vimrc, .gvimrc, .vim, .emacs,
    .emacs.d, .dir-locals.el, .dir-locals-2.el
  `),
  'commands that shells run when they start': list(`
    .bashrc, .bash_profile, .bash_login, .bash_logout, .bash_aliases, .profile, .zshrc, .zshenv, .zprofile, .zlogin, .zlogout, .kshrc,
    .mkshrc, .cshrc, .tcshrc, .login, .logout, .inputrc, .envrc, .autoenv, .pam_environment, .xprofile, .xinitrc, .xsession,
    .xsessionrc, .mise.toml, mise.toml, .mise, .tmux.conf, .screenrc
  `),
  'commands that interpreters and debuggers run when they start': list(`
    .Rprofile, .Renviron, .RData, .octaverc, .pdbrc, .irbrc, .pryrc, .ghci, .ocamlinit, .gdbinit, .lldbinit, .bazelrc
  `),
  'settings of package managers': list(`
    .npmrc, .yarnrc, .yarnrc.yml, .pnpmfile.cjs, .pnpmfile.mjs, .cargo, .bunfig.toml, bunfig.toml
  `),
  'files of this program': list(`
    repertoire.toml, .skill-engine.toml
  `),
};

/** Endings of editors' project files, which have any name before these. */
const endings = ['.code-workspace', '.sublime-project'];

const known = new Map(
  Object.entries(table).flatMap(([holds, names]) => names.map((name) => [folded(name), holds] as const)),
);

/** A name as file systems take it that ignore case, invisible characters and dots at the end. */
function folded(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .replace(/[. ]+$/, '');
}

/** The content of a file or folder of this name, where no run may write it; goes after "which holds". */
export function guardedAs(name: string): string | null {
  const plain = folded(name);
  return known.get(plain) ?? (endings.some((end) => plain.endsWith(end)) ? 'tasks and settings of editors' : null);
}

/** Whether a file of this name makes its folder a skill. */
export function isSkillFile(name: string): boolean {
  return folded(name) === 'skill.md';
}

/** Files and folders by which Git takes a folder for a repository, whatever it is called. */
const repositoryParts = ['HEAD', 'objects', 'refs'];

/** The reason why nothing may be written to a folder, judging by the names in it; null where it may. */
export function guardedByContent(names: readonly string[]): string | null {
  if (names.some(isSkillFile)) return 'a skill';
  return repositoryParts.every((part) => names.includes(part)) ? 'a Git repository' : null;
}
