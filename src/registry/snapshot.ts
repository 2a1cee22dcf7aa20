import type { Scan } from '../discovery/scan.ts';
import { type Diagnostic, diagnostic } from '../kernel/diagnostics.ts';
import { addTo } from '../kernel/groups.ts';
import { sha256 } from '../kernel/hash.ts';
import { fold, normalize } from '../kernel/text.ts';
import { shortNameOf } from '../skill/name.ts';
import type { Skill } from '../skill/types.ts';
import { applyFilters, type FilterTokens } from './filters.ts';
import { type OnDuplicate, reasonFor, settle } from './settle.ts';

export interface View {
  readonly include: FilterTokens;
  readonly exclude: FilterTokens;
  readonly onDuplicate: OnDuplicate;
}

/** Skills by every way of writing their name: as written, and folded. */
export interface NameIndex {
  readonly exact: ReadonlyMap<string, readonly Skill[]>;
  readonly folded: ReadonlyMap<string, readonly Skill[]>;
}

/** An immutable picture of the skills that one configuration sees. It is replaced whole, never changed. */
export class Snapshot {
  readonly scan: Scan;
  readonly view: View;
  /** Every skill that the filters let through, in order of rank. */
  readonly skills: readonly Skill[];
  /** The scan's diagnostics and those that only a view can tell. */
  readonly diagnostics: readonly Diagnostic[];
  readonly #shadowedBy: ReadonlyMap<Skill, Skill>;
  readonly #showsShadowed: boolean;
  readonly #indexes = new Map<keyof typeof spellings, NameIndex>();
  #digest: string | undefined;

  constructor(scan: Scan, view: View, filePath: (path: string) => string) {
    this.scan = scan;
    this.view = view;
    const filtered = applyFilters(scan.skills, view, filePath);
    this.skills = filtered.skills;
    this.#showsShadowed = filtered.showsShadowed;
    const { shadowedBy, diagnostics } = compareNames(this.skills, view.onDuplicate);
    this.#shadowedBy = shadowedBy;
    this.diagnostics = [...scan.diagnostics, ...filtered.diagnostics, ...diagnostics];
  }

  /** The skill that hides this one from a plain lookup, if any. */
  shadowedBy(skill: Skill): Skill | undefined {
    return this.#shadowedBy.get(skill);
  }

  /** What a catalogue shows: no copy that a stronger one hides, unless `all` was asked for. */
  get visible(): readonly Skill[] {
    return this.#showsShadowed ? this.skills : this.skills.filter((skill) => !this.#shadowedBy.has(skill));
  }

  /** Changes exactly when what is visible changes. */
  get digest(): string {
    if (this.#digest === undefined) {
      const lines = this.visible.map((skill) =>
        [skill.id, skill.fullName, skill.provider, skill.location, skill.digest].join('\0'),
      );
      this.#digest = sha256(lines.join('\n'));
    }
    return this.#digest;
  }

  /** Builds, step by step, what lookups and subscribers will ask for. */
  async prepare(): Promise<void> {
    for (const spelling of Object.keys(spellings) as (keyof typeof spellings)[]) {
      this.index(spelling);
      await new Promise(setImmediate);
    }
    void this.digest;
  }

  /** Built when first asked for, and kept: a lookup costs a map access, not a walk over all skills. */
  index(spelling: keyof typeof spellings): NameIndex {
    let index = this.#indexes.get(spelling);
    if (index === undefined) {
      index = indexBy(this.skills, spellings[spelling]);
      this.#indexes.set(spelling, index);
    }
    return index;
  }
}

/** The ways to write a name, each giving all spellings of one skill. */
const spellings = {
  full: (skill: Skill) => [skill.fullName, ...marketplaceNames(skill)],
  provider: (skill: Skill) => [`${skill.provider}:${skill.name}`],
  providerPlugin: (skill: Skill) =>
    [skill.fullName, ...marketplaceNames(skill)].map((name) => `${skill.provider}:${name}`),
  short: (skill: Skill) => [shortNameOf(skill.fullName)],
} as const;

/** `plugin@marketplace:skill` tells apart what two marketplaces call the same. */
function marketplaceNames(skill: Skill): string[] {
  return skill.plugin?.includes('@') ? [`${skill.plugin}:${skill.name}`] : [];
}

function indexBy(skills: readonly Skill[], spell: (skill: Skill) => string[]): NameIndex {
  const [exact, folded] = [new Map<string, Skill[]>(), new Map<string, Skill[]>()];
  for (const skill of skills) {
    for (const name of spell(skill)) {
      addTo(exact, normalize(name), skill);
      addTo(folded, fold(name), skill);
    }
  }
  return { exact, folded };
}

/** A name that tells one skill from others of the same full name. */
function nameAmong(skill: Skill, group: readonly Skill[]): string {
  const isOnlyOne = group.filter((other) => other.provider === skill.provider).length === 1;
  return isOnlyOne || skill.plugin === null ? `${skill.provider}:${skill.fullName}` : `${skill.plugin}:${skill.name}`;
}

function compareNames(
  skills: readonly Skill[],
  onDuplicate: OnDuplicate,
): { shadowedBy: Map<Skill, Skill>; diagnostics: Diagnostic[] } {
  const groups = new Map<string, Skill[]>();
  for (const skill of skills) addTo(groups, normalize(skill.fullName), skill);
  const shadowedBy = new Map<Skill, Skill>();
  const diagnostics: Diagnostic[] = [];
  for (const group of groups.values()) {
    if (group.length === 1) continue;
    const { order, winners } = settle(group, onDuplicate);
    const first = order[0] as Skill;
    for (const loser of order.slice(winners)) {
      const winner = order.slice(0, winners).find((one) => one.provider === loser.provider) ?? first;
      shadowedBy.set(loser, winner);
      const message = `"${loser.fullName}" (${loser.provider}, ${loser.location}) is hidden by ${winner.file}: ${reasonFor(winner, loser)}`;
      diagnostics.push(
        diagnostic('shadowed', loser.file, message, 'Rename or remove one of the two if both are wanted.'),
      );
    }
    for (const one of winners > 1 ? order.slice(0, winners) : []) {
      const message = `"${one.fullName}" is also the name of another skill that no rule puts first`;
      const remedy = `Ask for ${nameAmong(one, group)}, rename one of them, or use --on-duplicate first.`;
      diagnostics.push(diagnostic('ambiguous', one.file, message, remedy));
    }
  }
  return { shadowedBy, diagnostics };
}
