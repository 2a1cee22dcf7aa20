import { join } from 'node:path';
import { type Diagnostic, diagnostic } from '../core/diagnostics.ts';
import { addTo } from '../core/maps.ts';
import { normalize, shellWord } from '../core/text/text.ts';
import { each, runSliced, runSync, type SlicedTask, type Slicer } from '../core/time-slice.ts';
import type { Scan } from '../discovery/scan.ts';
import { isForModels } from '../skill/invocation.ts';
import { calledName } from '../skill/name.ts';
import type { Skill } from '../skill/types.ts';
import { disabledEntry, type FilterTokens, filterSteps, type NativeSets } from './filters.ts';
import { type Quarantine, type QuarantineEntry, quarantineDiagnostic } from './quarantine.ts';

/** The audience of a catalogue: models are not offered skills that are left to people to call. */
export type Audience = 'people' | 'models';

export interface View {
  readonly include: FilterTokens;
  readonly exclude: FilterTokens;
  readonly onDuplicate: OnDuplicate;
  /** The skills that the `native:` tokens among them mean. */
  readonly natives?: NativeSets;
  /** The skills that nobody is to see: `NAME`, `/real/folder`, `AGENT=NAME`. */
  readonly disabled?: FilterTokens;
  /** The skills that nobody loads or runs. */
  readonly quarantine?: Quarantine;
}

/** The outcome of applying a view to a scan. */
interface Contents extends Pick<Snapshot, 'skills' | 'disabled' | 'diagnostics'> {
  readonly shadowedBy: ReadonlyMap<Skill, Skill>;
  readonly showsShadowed: boolean;
}

/** Resolves a filter's path. */
type FilePath = (path: string) => string;

/** An immutable picture of the skills that one configuration sees. It is replaced whole, never changed. */
export class Snapshot {
  readonly scan: Scan;
  readonly view: View;
  /** Every skill that the filters let through, in order of rank. */
  readonly skills: readonly Skill[];
  /** Skills that are disabled, by the entry that does it: they can be listed, and nothing else. */
  readonly disabled: ReadonlyMap<Skill, string>;
  /** The diagnostics of the scan, and those that only a view can give. */
  readonly diagnostics: readonly Diagnostic[];
  readonly #contents: Contents;
  #visible: readonly Skill[] | undefined;
  #offered: ReadonlySet<Skill> | undefined;
  #digest: string | undefined;

  constructor(scan: Scan, view: View, filePath: FilePath, contents = runSync(contentSteps(scan, view, filePath))) {
    this.scan = scan;
    this.view = view;
    this.skills = contents.skills;
    this.disabled = contents.disabled;
    this.diagnostics = contents.diagnostics;
    this.#contents = contents;
  }

  /** Makes a snapshot in time slices, for callers that must answer others meanwhile. */
  static async make(scan: Scan, view: View, filePath: FilePath, slicer: Slicer): Promise<Snapshot> {
    return new Snapshot(scan, view, filePath, await runSliced(contentSteps(scan, view, filePath), slicer));
  }

  /** The skill that hides this one from a plain lookup, if any. */
  shadowedBy(skill: Skill): Skill | undefined {
    return this.#contents.shadowedBy.get(skill);
  }

  /** Whether a catalogue shows the skill. */
  isVisible(skill: Skill): boolean {
    const { shadowedBy, showsShadowed } = this.#contents;
    return (showsShadowed || !shadowedBy.has(skill)) && this.quarantined(skill) === undefined;
  }

  /** Why nobody may load the skill, if a scan keeps it in quarantine. */
  quarantined({ id }: Pick<Skill, 'id'>): QuarantineEntry | undefined {
    return this.view.quarantine?.get(id);
  }

  /** The skills that a catalogue shows: no copy that a stronger one hides, unless `all` was requested. */
  get visible(): readonly Skill[] {
    const isWhole = this.#contents.showsShadowed && (this.view.quarantine?.size ?? 0) === 0;
    this.#visible ??= isWhole ? this.skills : this.skills.filter((skill) => this.isVisible(skill));
    return this.#visible;
  }

  /** The skills that a catalogue for this audience shows. */
  shownTo(audience: Audience): readonly Skill[] {
    return audience === 'people' ? this.visible : [...this.#offeredSkills];
  }

  /** Whether a catalogue for this audience shows the skill. */
  isShownTo(audience: Audience, skill: Skill): boolean {
    return audience === 'people' ? this.isVisible(skill) : this.#offeredSkills.has(skill);
  }

  get #offeredSkills(): ReadonlySet<Skill> {
    this.#offered ??= new Set(this.visible.filter((skill) => isForModels(skill, this.scan.folders)));
    return this.#offered;
  }

  /** A digest that changes exactly when what is visible changes. */
  get digest(): string {
    return runSync(this.digestSteps());
  }

  *digestSteps(): SlicedTask<string> {
    if (this.#digest !== undefined) return this.#digest;
    const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
    yield* each(this.visible, ({ id, fullName, provider, location, digest }) => {
      hash.update([id, fullName, provider, location, digest, '\n'].join('\0'));
    });
    this.#digest = hash.digest('hex');
    return this.#digest;
  }
}

function* contentSteps(scan: Scan, view: View, filePath: FilePath): SlicedTask<Contents> {
  const { skills, disabled, showsShadowed, diagnostics } = yield* filterSteps(scan.skills, view, filePath);
  const names = yield* compareNames(skills, view.onDuplicate);
  const kept = view.quarantine?.size ? quarantineNotes(scan.skills, skills, view.quarantine) : [];
  return {
    skills,
    disabled,
    showsShadowed,
    shadowedBy: names.shadowedBy,
    diagnostics: [...scan.diagnostics, ...diagnostics, ...names.diagnostics, ...disabledNotes(disabled), ...kept],
  };
}

function disabledNotes(disabled: Contents['disabled']): readonly Diagnostic[] {
  return [...disabled].map(([{ file, fullName }, entry]) =>
    diagnostic('skill-disabled', file, `"${fullName}" is disabled, as ${entry}`, enableHint(entry)),
  );
}

/** Instructions for enabling what an entry disables. */
export function enableHint(entry: string): string {
  const { agent, skill } = disabledEntry(entry);
  return `Type repertoire enable ${shellWord(skill)}${agent === null ? '' : ` --agent ${agent}`} to have it back.`;
}

/** Diagnostics for skills in quarantine: those that are seen, and those that were kept out before they were installed. */
function quarantineNotes(all: readonly Skill[], seen: readonly Skill[], quarantine: Quarantine): Diagnostic[] {
  const found = new Set(all.map(({ id }) => id));
  const inside = seen.map((skill) => ({ skill, entry: quarantine.get(skill.id) }));
  const outside = [...quarantine].flatMap(([folder, entry]) =>
    entry.name === undefined || found.has(folder)
      ? []
      : [{ skill: { file: join(folder, 'SKILL.md'), fullName: entry.name }, entry }],
  );
  return [...inside, ...outside].flatMap(({ skill, entry }) =>
    entry === undefined ? [] : quarantineDiagnostic(skill, entry),
  );
}

/** A name that distinguishes one skill from others of the same full name. */
function nameAmong(skill: Skill, group: readonly Skill[]): string {
  const isOnlyOne = group.filter((other) => other.provider === skill.provider).length === 1;
  return isOnlyOne || skill.plugin === null
    ? `${skill.provider}:${skill.fullName}`
    : `${skill.plugin}:${calledName(skill)}`;
}

/** Finds the skills that stronger ones of the same name hide, and makes diagnostics for them. */
function* compareNames(
  skills: readonly Skill[],
  onDuplicate: OnDuplicate,
): SlicedTask<{ shadowedBy: Map<Skill, Skill>; diagnostics: Diagnostic[] }> {
  // Nearly every name occurs once: only the others are gathered.
  const firsts = new Map<string, Skill>();
  const groups = new Map<string, Skill[]>();
  yield* each(skills, (skill) => {
    const name = normalize(skill.fullName);
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, skill);
    else addTo(groups, name, skill);
  });
  const shadowedBy = new Map<Skill, Skill>();
  const diagnostics: Diagnostic[] = [];
  yield* each(groups, ([name, others]) => {
    compareGroup([firsts.get(name) as Skill, ...others], onDuplicate, shadowedBy, diagnostics);
  });
  return { shadowedBy, diagnostics };
}

function compareGroup(
  group: readonly Skill[],
  onDuplicate: OnDuplicate,
  shadowedBy: Map<Skill, Skill>,
  diagnostics: Diagnostic[],
): void {
  const { order, winners } = settle(group, onDuplicate);
  const first = order[0] as Skill;
  for (const loser of order.slice(winners)) {
    const winner = order.slice(0, winners).find((one) => one.provider === loser.provider) ?? first;
    shadowedBy.set(loser, winner);
    const message = `"${loser.fullName}" (${loser.provider}, ${loser.location}) is hidden by ${winner.file}: ${reasonFor(winner, loser)}`;
    diagnostics.push(diagnostic('shadowed', loser.file, message, 'Rename one of the two if you want both.'));
  }
  for (const one of winners > 1 ? order.slice(0, winners) : []) {
    const message = `"${one.fullName}" is also the name of another skill, and no rule ranks one above the other`;
    const remedy = `Ask for ${nameAmong(one, group)}, rename one of them, or use --on-duplicate first.`;
    diagnostics.push(diagnostic('ambiguous', one.file, message, remedy));
  }
}

/** The behaviour when two skills that no rule tells apart share a name. */
export type OnDuplicate = 'error' | 'first';

const locationOrder = { project: 0, global: 1, plugin: 2, remote: 3 } as const;

/** The standing of a skill: folders that the user named, the shared ones, each agent's own, and then other servers. */
function standing(skill: Skill): number {
  if (skill.location === 'remote') return 3;
  if (skill.named) return 0;
  return skill.provider === 'agents' ? 1 : 2;
}

/**
 * Decides which of several skills of one name is meant. Returns them strongest first, and the number that share the
 * first place: more than one is an ambiguity.
 */
export function settle(
  candidates: readonly Skill[],
  onDuplicate: OnDuplicate,
): { order: readonly Skill[]; winners: number } {
  const order = [...candidates].sort((a, b) => standing(a) - standing(b) || a.rank - b.rank);
  if (order.length < 2) return { order, winners: order.length };
  const top = order.filter((skill) => standing(skill) === standing(order[0] as Skill));
  // Within one provider a project's copy beats the user's; then the higher root; then the first path.
  const firsts = new Map<string, Skill>();
  for (const skill of top) {
    const rival = firsts.get(sourceOf(skill));
    if (rival === undefined || beats(skill, rival)) firsts.set(sourceOf(skill), skill);
  }
  const winners = [...firsts.values()].sort((a, b) => a.rank - b.rank);
  const rest = order.filter((skill) => !winners.includes(skill));
  return { order: [...winners, ...rest], winners: onDuplicate === 'first' ? 1 : winners.length };
}

/**
 * The source of a skill. Copies from one source shadow each other; two agents, or two plugins, are different sources.
 */
function sourceOf(skill: Skill): string {
  if (skill.named) return '';
  return skill.plugin === null ? skill.provider : `${skill.provider} ${skill.plugin}`;
}

function beats(a: Skill, b: Skill): boolean {
  const [first, second] = [locationOrder[a.location], locationOrder[b.location]];
  return first === second ? a.rank < b.rank : first < second;
}

/** The reason, in words, why one skill beat the other. */
export function reasonFor(winner: Skill, loser: Skill): string {
  if (winner.named && !loser.named) return 'a folder named by --skill-dir comes before all others';
  if (loser.location === 'remote' && winner.location !== 'remote')
    return 'what is on this machine comes before remotes';
  if (standing(winner) < standing(loser)) return "the shared agents folders come before an agent's own";
  if (winner.provider === loser.provider && winner.location !== loser.location)
    return `${winner.location} comes before ${loser.location}`;
  if (winner.rank !== loser.rank) return 'its root comes first';
  return 'its path comes first';
}
