import { basename } from 'node:path';
import { knownProvider } from '../agents/providers.ts';
import { attempt } from '../core/attempt.ts';
import { type Diagnostic, positionOf } from '../core/diagnostics.ts';
import { readRegularPart } from '../core/disk/files.ts';
import { SkillError } from '../core/errors.ts';
import { addTo, memoized } from '../core/maps.ts';
import { suggest } from '../core/text/near.ts';
import { fold, oneLine } from '../core/text/text.ts';
import { calledName, isPathLike } from '../skill/name.ts';
import type { Skill } from '../skill/types.ts';
import { isMeant } from './filters.ts';
import { skillsNamed } from './names.ts';
import { quarantineError } from './quarantine.ts';
import { type Audience, enableHint, type Snapshot, settle } from './snapshot.ts';

/** The ways in which a request may name a skill, in the order they are tried. */
export const nameForms = ['full name', 'provider and name', 'provider, plugin and name', 'short name', 'URI'] as const;
type Step = (typeof nameForms)[number];

export type Resolution =
  | {
      readonly kind: 'found';
      readonly skill: Skill;
      readonly step: Step;
      readonly folded: boolean;
      /** The other skills that the request could have meant, and that lost. */
      readonly beaten: readonly Skill[];
    }
  | { readonly kind: 'ambiguous'; readonly step: Step; readonly candidates: readonly Skill[] }
  | { readonly kind: 'not-found' };

const steps = [
  ['full name', 'full'],
  ['provider and name', 'provider'],
  ['provider, plugin and name', 'providerPlugin'],
  ['short name', 'short'],
] as const;

/** Refuses a name that can never be a skill's. A URI is checked segment by segment, after decoding. */
export function checkName(name: string): void {
  if (typeof name !== 'string' || name.trim() === '')
    throw new SkillError('invalid-name', 'Skill name cannot be empty');
  if (isPathLike(uriName(name) ?? name)) {
    const hint = 'Ask for a skill by its name, as repertoire list shows it.';
    throw new SkillError('invalid-name', `'${shown(name)}' is not a skill name: it could name a path`, { hint });
  }
}

const longest = 200;

/** The requested name on one line; if it is too long to be a name, it is not repeated in full. */
function shown(name: string): string {
  const line = oneLine(name.slice(0, longest + 1));
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** Resolves a name to a skill. */
export function resolveName(snapshot: Snapshot, name: string): Resolution {
  checkName(name);
  const asked = name.trim();
  const found = find(snapshot, asked);
  // A skill that is really called so has been found by now.
  const unmarked = found.kind === 'not-found' ? withoutMark(asked) : asked;
  return unmarked === asked ? found : find(snapshot, unmarked);
}

/** The name without the sign that other programs put before a plugin's: `claude:@plugin:skill`, `claude@plugin:skill`. */
function withoutMark(name: string): string {
  return name.replace(/^([^:@]*):?@(?=[^:]+:)/, (_, provider: string) => (provider === '' ? '' : `${provider}:`));
}

function find(snapshot: Snapshot, asked: string): Resolution {
  const renamed = canonicalProvider(asked);
  for (const [step, spelling] of steps) {
    const found = lookUp(snapshot, asked, step, spelling) ?? (renamed && lookUp(snapshot, renamed, step, spelling));
    if (found) return found;
  }
  const uri = uriName(asked);
  if (uri === null) return { kind: 'not-found' };
  const inner = find(snapshot, uri);
  return inner.kind === 'not-found' ? inner : { ...inner, step: 'URI' };
}

/** Replaces an alias of a provider: `claude-code:pdf` is `claude:pdf`; null where the provider is not an alias. */
function canonicalProvider(name: string): string | null {
  const colon = name.indexOf(':');
  const given = name.slice(0, Math.max(colon, 0));
  const known = knownProvider(fold(given));
  return known === undefined || known === given ? null : known + name.slice(colon);
}

function lookUp(snapshot: Snapshot, asked: string, step: Step, spelling: (typeof steps)[number][1]): Resolution | null {
  const named = skillsNamed(snapshot, spelling, asked);
  if (named === null) return null;
  const { skills: all, isExact } = named;
  // `claude:pdf` means the agent's own skill where it has one, whatever its plugins hold.
  const own = spelling === 'provider' ? all.filter((skill) => skill.plugin === null) : [];
  const candidates = own.length > 0 ? own : all;
  const { order, winners } = settle(candidates, snapshot.view.onDuplicate);
  const best = order.slice(0, winners);
  // Two spellings of one folder's skills are told apart by writing them exactly, not by the order of their paths.
  const isOpen = !isExact && snapshot.view.onDuplicate === 'error';
  const rivals = isOpen ? sameSourceOtherName(best, order) : [];
  if (best.length + rivals.length > 1) return { kind: 'ambiguous', step, candidates: [...best, ...rivals] };
  const [skill, ...beaten] = order as [Skill, ...Skill[]];
  return { kind: 'found', skill, step, folded: !isExact, beaten };
}

function sameSourceOtherName(best: readonly Skill[], order: readonly Skill[]): Skill[] {
  return order.filter((skill) =>
    best.some(
      (one) =>
        skill !== one &&
        skill.provider === one.provider &&
        skill.location === one.location &&
        skill.rank === one.rank &&
        skill.fullName !== one.fullName,
    ),
  );
}

/** The name in a URI: `skill://claude/pdf/SKILL.md` names what `claude:pdf` names; null if it is another URI. */
export function uriName(text: string): string | null {
  const path = /^skill:\/\/(.+)\/SKILL\.md$/i.exec(text.trim())?.[1];
  if (path === undefined) return null;
  // Not decodable: kept as it is, so that it is refused as a path or not found.
  return attempt(() => path.split('/').map(decodeURIComponent).join(':'), path);
}

/** The shortest name by which exactly this skill can be requested. */
export function distinctName(snapshot: Snapshot, skill: Skill): string {
  // Nearly all names are held by one skill only, and there may be thousands to write down.
  const named = skillsNamed(snapshot, 'full', skill.fullName);
  if (named?.isExact && named.skills.length === 1) return skill.fullName;
  const plugin =
    skill.plugin === null
      ? []
      : [`${skill.plugin}:${calledName(skill)}`, `${skill.provider}:${skill.plugin}:${calledName(skill)}`];
  const spellings = [skill.fullName, `${skill.provider}:${skill.fullName}`, ...plugin];
  const sure = spellings.find((name) => {
    const resolution = find(snapshot, name);
    return resolution.kind === 'found' && resolution.skill === skill;
  });
  return sure ?? `${skill.provider}:${skill.fullName}`;
}

/**
 * Returns the skill of that name, or throws an error that says what could have been meant, as far as the audience is
 * offered it.
 */
export function requireSkill(snapshot: Snapshot, name: string, audience: Audience = 'people'): Skill {
  const skill = requireKnown(snapshot, name, audience);
  const entry = snapshot.quarantined(skill);
  if (entry !== undefined) throw quarantineError(skill.fullName, entry);
  return skill;
}

/** Returns the skill of that name even where it is in quarantine: for those who look at it, and load and run nothing. */
export function requireKnown(snapshot: Snapshot, name: string, audience: Audience = 'people'): Skill {
  const resolution = resolveName(snapshot, name);
  if (resolution.kind === 'found') return resolution.skill;
  throw resolution.kind === 'ambiguous'
    ? ambiguity(snapshot, name, resolution.candidates)
    : notFound(snapshot, name, audience);
}

function ambiguity(snapshot: Snapshot, name: string, skills: readonly Skill[]): SkillError {
  const candidates = skills.map((skill) => distinctName(snapshot, skill));
  const message = `Skill name '${shown(name)}' is ambiguous: ${candidates.join(', ')}`;
  return new SkillError('ambiguous', message, {
    candidates,
    hint: `Ask for one of them by its full name, as in ${candidates[0]}.`,
  });
}

/** The error for a skill that was found and could not be used. */
function unusable(name: string, problem: Diagnostic): SkillError {
  const place = `${oneLine(problem.file)}${positionOf(problem)}`;
  const message = `Skill '${shown(name)}' was found but cannot be loaded: ${place}: ${problem.message}`;
  return new SkillError('unreadable', message, { hint: problem.remedy });
}

/** Instructions for a disabled skill of that name; undefined where there is none. */
function disabledNamed({ disabled }: Snapshot, name: string): string | undefined {
  const [, entry] = [...disabled].find(([skill]) => isMeant({ agent: null, skill: name.trim() }, skill)) ?? [];
  return entry === undefined ? undefined : enableHint(entry);
}

const listed = 20;

function notFound(snapshot: Snapshot, name: string, audience: Audience): SkillError {
  const off = audience === 'people' ? disabledNamed(snapshot, name) : undefined;
  if (off !== undefined) return new SkillError('not-found', `Skill '${shown(name)}' is disabled.`, { hint: off });
  const problem = obstacleNamed(snapshot, uriName(name) ?? name);
  if (problem !== undefined) return unusable(name, problem);
  const shownSkills = snapshot.shownTo(audience);
  const names = shownSkills.map((skill) => skill.fullName);
  const suggestions = suggest(name, names);
  const rest = names.length - listed;
  const available = shownSkills.slice(0, listed).map((skill) => `\n- ${distinctName(snapshot, skill)}`);
  const lines = [
    `Skill '${shown(name)}' not found.`,
    suggestions.length > 0 ? `\n\nDid you mean: ${suggestions.join(', ')}?` : '',
    names.length > 0 ? `\n\nAvailable skills:${available.join('')}` : '\n\nNo skills are available.',
    rest > 0 ? `\n… and ${rest} more` : '',
  ];
  const hint = `Check the spelling; repertoire why '${shown(name)}' explains more.`;
  return new SkillError('not-found', lines.join(''), { suggestions, hint });
}

type ByName = ReadonlyMap<string, readonly Diagnostic[]>;

const diagnosticsByName = memoized(({ diagnostics }: Snapshot): ByName => collect(diagnostics));

/** Diagnostics about skills of that name: the usual reason why one is missing. */
export function problemsNamed(snapshot: Snapshot, name: string): readonly Diagnostic[] {
  return diagnosticsByName(snapshot).get(fold(name.slice(name.lastIndexOf(':') + 1).trim())) ?? [];
}

/** The reason why a skill of that name was found and cannot be used; undefined where none was found. */
function obstacleNamed(snapshot: Snapshot, name: string): Diagnostic | undefined {
  return problemsNamed(snapshot, name).find(
    ({ severity, code, file }) =>
      severity === 'error' || code === 'folder-unreadable' || (code.startsWith('link-') && isSkillFile(file)),
  );
}

function isSkillFile(file: string): boolean {
  return /^\.?skill\.md$/i.test(basename(file));
}

function collect(diagnostics: readonly Diagnostic[]): ByName {
  const byName = new Map<string, Diagnostic[]>();
  for (const one of diagnostics) {
    if (one.code === 'filter-no-match') continue;
    for (const name of namesIn(one)) addTo(byName, name, one);
  }
  return byName;
}

/**
 * The names that a diagnostic is about: that of the folder and, where a SKILL.md could not be used, the name that it
 * gives.
 */
function namesIn({ file, severity }: Diagnostic): ReadonlySet<string> {
  const parts = file.split(/[/\\]/);
  const isSkill = isSkillFile(file);
  const folder = isSkill ? parts.at(-2) : parts.at(-1);
  const given = isSkill && severity === 'error' ? nameGivenIn(file) : undefined;
  return new Set([folder, given].filter((name) => name !== undefined).map((name) => fold(name)));
}

const beginning = 4096;

/** The name in a line of front matter that cannot be read. */
function nameGivenIn(file: string): string | undefined {
  const read = readRegularPart(file, 0, beginning);
  const text = read.ok ? read.value.bytes.toString('utf8') : '';
  return /^name[ \t]*:[ \t]*(["']?)([^\r\n]*?)\1[ \t]*\r?$/m.exec(text)?.[2];
}
