import { isAbsolute } from 'node:path';
import { knownProvider } from '../agents/providers.ts';
import { type Diagnostic, diagnostic } from '../core/diagnostics.ts';
import { realPathOrSelf } from '../core/disk/files.ts';
import { isInside } from '../core/disk/paths.ts';
import { fold, normalize } from '../core/text/text.ts';
import { each, type SlicedTask } from '../core/time-slice.ts';
import type { Skill } from '../skill/types.ts';

/** Include or exclude tokens, one each: commas are already split. */
export type FilterTokens = readonly string[];

/** The skills that tokens such as `native:codex` mean, which cannot be decided by looking at each skill alone. */
export type NativeSets = ReadonlyMap<string, ReadonlySet<Skill>>;

interface Tokens {
  readonly include: FilterTokens;
  readonly exclude: FilterTokens;
  readonly natives?: NativeSets;
  /** Entries for skills that nobody is to see. */
  readonly disabled?: FilterTokens;
}

/**
 * The prefix of `native:AGENT`, the skills which that agent shows by itself; `native:ONE+OTHER`: those which each of
 * them shows.
 */
export const nativePrefix = 'native:';
export const nativeJoint = '+';

/** The prefix of `disabled:AGENT`, the skills that were disabled for that agent; `native:AGENT` leaves them out too. */
export const disabledPrefix = 'disabled:';

interface Filtered {
  readonly skills: readonly Skill[];
  /** Skills that are disabled, whatever else the tokens say of them, by the entry that does it. */
  readonly disabled: ReadonlyMap<Skill, string>;
  /** Whether copies hidden by stronger ones were requested. */
  readonly showsShadowed: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

type Matches = (skill: Skill) => boolean;

/** Applies the includes first, then the excludes. A token that matches nothing is a mistake, and is reported. */
export function* filterSteps(
  skills: readonly Skill[],
  tokens: Tokens,
  filePath: (path: string) => string,
): SlicedTask<Filtered> {
  const diagnostics: Diagnostic[] = [];
  const includes = yield* matching('--include', tokens.include);
  const excludes = yield* matching('--exclude', tokens.exclude);
  const disabled = yield* disabledSteps(skills, tokens);
  const kept =
    includes === null && excludes === null && disabled.size === 0
      ? skills
      : skills.filter(
          (skill) => (includes === null || includes.has(skill)) && !excludes?.has(skill) && !disabled.has(skill),
        );
  return { skills: kept, disabled, showsShadowed: tokens.include.includes('all'), diagnostics };

  /** The skills that any of the tokens means; null where there are no tokens. */
  function* matching(option: string, given: FilterTokens): SlicedTask<ReadonlySet<Skill> | null> {
    const matched = new Set<Skill>();
    for (const token of given) {
      const matches = compileToken(token, skills, filePath, tokens.natives);
      let hits = 0;
      yield* each(skills, (skill) => {
        if (!matches(skill)) return;
        hits++;
        matched.add(skill);
      });
      // An agent that sees nothing by itself is not a mistake, nor is one for which nothing is disabled.
      if (hits > 0 || tokens.natives?.has(token) || token.startsWith(disabledPrefix)) continue;
      const message = `${option} ${token} matches no skill`;
      const remedy = token.startsWith(nativePrefix)
        ? 'Check the spelling; repertoire doctor --agent shows every agent that is known.'
        : 'Check the spelling; repertoire list shows every name, provider and plugin.';
      diagnostics.push(diagnostic('filter-no-match', token, message, remedy));
    }
    return given.length === 0 ? null : matched;
  }
}

/** An entry of the list of disabled skills: `AGENT=SKILL`, or the skill alone, for all agents. */
export interface DisabledEntry {
  readonly agent: string | null;
  /** A name, or the path of a real folder. */
  readonly skill: string;
}

export function disabledEntry(entry: string): DisabledEntry {
  const [, agent = null, skill = entry] = /^([a-z0-9-]+)=(.+)$/s.exec(entry) ?? [];
  return { agent, skill };
}

/**
 * Whether a disabled skill is meant. A path means the skill in that real folder, whatever it is called; a name means
 * every skill that can be asked for by it, also those that another one hides.
 */
export function isMeant({ skill: entry }: DisabledEntry, skill: Skill): boolean {
  if (isAbsolute(entry)) return skill.id === entry;
  const names = [skill.fullName, skill.name, `${skill.provider}:${skill.fullName}`, `${skill.provider}:${skill.name}`];
  return names.some((name) => fold(name) === fold(entry));
}

/** The agents that a skill is disabled for, by their ids; `*` where it is for all. */
export function disabledFor(skill: Skill, entries: FilterTokens): readonly string[] {
  const meant = entries.map(disabledEntry).filter((entry) => isMeant(entry, skill));
  return [...new Set(meant.map(({ agent }) => agent ?? '*'))];
}

/** The agents that are served, by the tokens that `setup` writes. */
function servedBy({ exclude }: Tokens): readonly string[] {
  const prefixes = [nativePrefix, disabledPrefix];
  return exclude.flatMap((token) => {
    const prefix = prefixes.find((one) => token.startsWith(one));
    return prefix === undefined ? [] : token.slice(prefix.length).split(nativeJoint);
  });
}

/** Finds the disabled skills. What is disabled for some agents only is so where all that are served are among them. */
function* disabledSteps(skills: readonly Skill[], tokens: Tokens): SlicedTask<ReadonlyMap<Skill, string>> {
  const disabled = new Map<Skill, string>();
  const texts = tokens.disabled ?? [];
  if (texts.length === 0) return disabled;
  const entries = texts.map((text) => ({ text, ...disabledEntry(text) }));
  const served = servedBy(tokens);
  yield* each(skills, (skill) => {
    const meant = entries.filter((entry) => isMeant(entry, skill));
    if (meant.length === 0) return;
    const agents = new Set(meant.map(({ agent }) => agent));
    const isForAll = agents.has(null) || (served.length > 0 && served.every((agent) => agents.has(agent)));
    if (isForAll) disabled.set(skill, (meant.find(({ agent }) => agent === null) ?? meant[0])?.text ?? '');
  });
  return disabled;
}

/** The tokens that exclude a skill or fail to include it, for explaining why it is not seen. */
export function tokensAgainst(
  skill: Skill,
  skills: readonly Skill[],
  tokens: Tokens,
  filePath: (path: string) => string,
): string[] {
  const hits = (token: string): boolean => compileToken(token, skills, filePath, tokens.natives)(skill);
  const excluded = tokens.exclude.filter(hits).map((token) => `--exclude ${token}`);
  const included = tokens.include.length === 0 || tokens.include.some(hits);
  return included ? excluded : [`--include ${tokens.include.join(',')}`, ...excluded];
}

/** A test of whether any of the tokens means a skill; without tokens, none is meant. */
export function matcherOf(
  tokens: FilterTokens,
  skills: readonly Skill[],
  filePath: (path: string) => string,
): (skill: Skill) => boolean {
  const matchers = tokens.map((token) => compileToken(token, skills, filePath));
  return (skill) => matchers.some((matches) => matches(skill));
}

const locations = new Map<string, Skill['location']>([
  ['project', 'project'],
  ['global', 'global'],
  ['user', 'global'],
  ['remote', 'remote'],
]);

/** The form `claude@plugin:skill`, as another program writes it. */
const otherProgram = /^([^:@]+)(@[^:]+:.*)$/s;

function compileToken(
  token: string,
  skills: readonly Skill[],
  filePath: (path: string) => string,
  natives?: NativeSets,
): Matches {
  const native = natives?.get(token);
  if (native !== undefined) return (skill) => native.has(skill);
  if (token === 'auto' || token === 'all') return () => true;
  if (token.startsWith(disabledPrefix)) return () => false; // those are left out as disabled
  const location = locations.get(token);
  if (location !== undefined) return (skill) => skill.location === location;
  if (token.startsWith('@')) return pluginToken(token.slice(1));
  const providers = new Set(skills.map((skill) => skill.provider));
  const providerOf = (name: string): string | undefined => (providers.has(name) ? name : knownProvider(fold(name)));
  // Some skills are named like an agent; where the agent has none, the skill is meant.
  const whole = providerOf(token);
  if (whole !== undefined && providers.has(whole)) return (skill) => skill.provider === whole;
  const parts = [/^([^:]+):(.*)$/s, otherProgram].map((form) => form.exec(token));
  const found = parts.flatMap((part) => {
    const [, head = '', rest = ''] = part ?? [];
    const provider = head === '' ? undefined : providerOf(head);
    return provider !== undefined && (provider === 'file' || providers.has(provider)) ? [{ provider, rest }] : [];
  })[0];
  if (found === undefined) return named(token);
  const { provider, rest } = found;
  const inner = rest.startsWith('@') ? pluginToken(rest.slice(1)) : named(rest);
  const path = provider === 'file' ? pathToken(rest, filePath) : () => false;
  return (skill) => (skill.provider === provider && inner(skill)) || path(skill);
}

/** Parses `@plugins`, `@plugins:<plugin>` and `@<plugin>:<skill>`. */
function pluginToken(token: string): Matches {
  const isPlugin: Matches = (skill) => skill.plugin !== null;
  if (token === 'plugins') return isPlugin;
  const [head = '', ...rest] = token.split(':');
  const [plugin, skillName] = head === 'plugins' ? [rest[0] ?? '*', rest[1] ?? '*'] : [head, rest.join(':') || '*'];
  const [ofPlugin, ofSkill] = [glob(plugin), glob(skillName)];
  return (skill) => {
    if (skill.plugin === null || skill.pluginName === null) return false;
    return (ofPlugin(skill.pluginName) || ofPlugin(skill.plugin)) && ofSkill(skill.name);
  };
}

/** Matches skills at or below a path, by the path they were found at or by the real one. */
function pathToken(path: string, filePath: (path: string) => string): Matches {
  const folder = filePath(path);
  if (!isAbsolute(folder)) return () => false;
  const target = realPathOrSelf(folder);
  return (skill) => isInside(folder, skill.dir) || isInside(target, skill.id) || skill.file === folder;
}

function named(pattern: string): Matches {
  const matches = glob(pattern);
  return (skill) => matches(skill.name) || matches(skill.fullName);
}

/**
 * Compiles a glob: `*` and `?` as in a shell, everything else literal, letter case and normal form folded as in lookup.
 */
export function glob(pattern: string): (text: string) => boolean {
  const folded = fold(pattern);
  if (!/[*?]/.test(folded)) return (text) => fold(text) === folded;
  // A letter that folds to two, as ß does, is two letters to write and one to match by `?`: both ways count.
  const [letters, characters] = [Array.from(folded), Array.from(normalize(pattern), fold)];
  return (text) =>
    matchesGlob(letters, Array.from(fold(text))) || matchesGlob(characters, Array.from(normalize(text), fold));
}

/**
 * Matches a glob. Only the last star seen needs to be tried again, so the time is bounded by the product of the
 * lengths.
 */
function matchesGlob(pattern: readonly string[], text: readonly string[]): boolean {
  let [at, read] = [0, 0];
  let [star, mark] = [-1, 0];
  while (read < text.length) {
    if (pattern[at] === '*') {
      star = at++;
      mark = read;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[read])) {
      at++;
      read++;
    } else if (star >= 0) {
      at = star + 1;
      read = ++mark;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
