import { basename, dirname } from 'node:path';
import type { Listing, Room } from '../../agents/types.ts';
import type { Diagnostic, DiagnosticCode } from '../../core/diagnostics.ts';
import { addTo } from '../../core/maps.ts';
import { byText, grouped, isAscii, normalize, oneLine } from '../../core/text/text.ts';
import { each, type SlicedTask } from '../../core/time-slice.ts';
import { lengthOf } from '../../skill/rules/finding.ts';
import type { Skill } from '../../skill/types.ts';
import type { Scan } from '../scan.ts';
import { covering, createMeeting, type Loaded, sightOf } from './meeting.ts';
import { ranksFor, rootsAbove } from './reach.ts';
import type { NativeAgent, Sees, Sight } from './types.ts';

/** The view that an agent, left to itself, has of everything that was found. */
export interface NativeView {
  readonly agent: NativeAgent;
  /** The sight of each skill of the scan, in its order. */
  readonly sights: ReadonlyMap<Skill, Sight>;
  /** Files that we could not read as skills; some agents can. */
  readonly skipped: readonly Skipped[];
  /** The use of the agent's list; null where nothing is known of it. */
  readonly listing: ListingUse | null;
  /** Skills that the agent shows well enough by itself, and copies of those: it need not be given them again. */
  readonly covered: ReadonlySet<Skill>;
}

export function* nativeSteps(agent: NativeAgent, scan: Scan): SlicedTask<NativeView> {
  // Every skill gets its place first, so that the order stays that of the scan however they are settled.
  const sights = new Map<Skill, Sight>();
  const loaded: Loaded[] = [];
  const meet = createMeeting(agent, scan);
  yield* each(scan.skills, (skill) => {
    const met = meet(skill);
    sights.set(skill, 'place' in met ? pending : met);
    if ('place' in met) loaded.push(met);
  });
  const kept = settleNames(agent, loaded, sights);
  yield;
  const listing = listingOf(agent, kept, sights);
  yield;
  const rankOf = ranksFor(agent);
  const map = rootsAbove(scan);
  const isRead = (folder: string): boolean => map.reachesOf(folder, null).some(({ root }) => rankOf(root) >= 0);
  return { agent, sights, skipped: skippedBy(agent, scan, isRead), listing, covered: coveredBy(agent, sights) };
}

const pending: Sight = { state: 'unsure', sees: 'unknown', reason: '', characters: null };

function coveredBy(agent: NativeAgent, sights: ReadonlyMap<Skill, Sight>): ReadonlySet<Skill> {
  const shown = [...sights].filter(([, { state }]) => covering.has(state)).map(([skill]) => skill);
  const copies = new Set(shown.map((skill) => `${labelFor(agent, skill)}\0${skill.digest}`));
  const isCopy = ({ fullName, digest }: Skill): boolean => copies.has(`${normalize(fullName)}\0${digest}`);
  return new Set([...shown, ...[...sights.keys()].filter(isCopy)]);
}

/**
 * Keeps one skill of each name where the agent does, and records that of the others. Returns the rest, strongest first.
 */
function settleNames(agent: NativeAgent, loaded: readonly Loaded[], sights: Map<Skill, Sight>): readonly Loaded[] {
  const order = [...loaded].sort((a, b) => a.place - b.place || a.skill.rank - b.skill.rank);
  if (agent.sameName === 'all') return order;
  const groups = new Map<string, Loaded[]>();
  for (const one of order) addTo(groups, labelFor(agent, one.skill), one);
  return [...groups.values()].flatMap((group) => {
    if (group.length === 1) return group;
    // Any one of several copies may be taken.
    const isOneText = group.every(({ skill }) => skill.digest === group[0]?.skill.digest);
    if (agent.sameName === 'unknown' && !isOneText) {
      const reason = `${agent.name} finds ${group.length} skills of this name, and which one it takes is not known`;
      for (const { skill } of group) sights.set(skill, sightOf('rival', reason));
      return [];
    }
    const [first, ...others] = group as [Loaded, ...Loaded[]];
    const where = agent.places[first.place]?.shown;
    for (const { skill } of others) {
      sights.set(skill, sightOf('hidden', `${agent.name} takes another skill of this name, from ${where}`));
    }
    return [first];
  });
}

/** The agent's name for a skill. */
function labelFor({ label }: NativeAgent, skill: Skill): string {
  const { dir, plugin, pluginName, name } = skill;
  if (plugin === null) return normalize(label === 'folder' ? basename(dir) : name);
  return normalize(`${pluginName}:${name}`);
}

/** Works out how an agent lists the skills that it has. Null where nothing is known of its list. */
function listingOf(agent: NativeAgent, kept: readonly Loaded[], sights: Map<Skill, Sight>): ListingUse | null {
  const { name, listing } = agent;
  for (const { skill, isManual } of kept) {
    const manual = sightOf('lost', `${name} lets only people call it, as the skill asks`);
    sights.set(skill, isManual ? manual : sightOf('listed', `${name} reads this folder`));
  }
  if (listing === null) return null;
  const shown = kept.filter(({ isManual }) => !isManual).map(({ skill }) => skill);
  const { entries, use } = fitListing(inListOrder(shown), listing);
  for (const entry of entries) sights.set(entry.skill, fitted(agent, entry, use));
  return use;
}

const scopes: readonly Skill['location'][] = ['project', 'global', 'plugin'];

/** Orders a project's skills before a user's before a plugin's; then by name. */
function inListOrder(skills: readonly Skill[]): readonly Skill[] {
  return [...skills].sort(
    (a, b) => scopes.indexOf(a.location) - scopes.indexOf(b.location) || byText(a.fullName, b.fullName),
  );
}

/** The sight of a skill in a list of limited room. */
function fitted({ name }: NativeAgent, { written, shown }: Entry, use: ListingUse): Sight {
  const room = shown === 'unsure' ? use.rooms[0] : use.rooms.at(-1);
  const full =
    `the list of its skills takes ${grouped(use.characters)} characters, ` +
    `and ${grouped(room?.characters ?? 0)} fit with ${room?.with}`;
  if (shown === 'unsure') return sightOf('unsure', `${name} may show next to nothing of its description: ${full}`);
  if (shown === null) return sightOf('omitted', `${name} leaves it out: ${full}`, 0);
  if (shown >= written) return sightOf('listed', `${name} reads this folder`, shown);
  const why = shown === use.most ? '' : `: ${full}`;
  if (shown === 0) return sightOf('bare', `${name} shows its name without a description${why}`, 0);
  const reason = `${name} shows ${grouped(shown)} of the ${grouped(written)} characters of its description${why}`;
  return sightOf(shown < telling ? 'bare' : 'shortened', reason, shown);
}

/** A SKILL.md that we do not read as a skill, and how an agent treats it. */
interface Skipped {
  readonly file: string;
  readonly sees: Sees;
  readonly reason: string;
  readonly remedy: string;
}

type Spared = NonNullable<NativeAgent['spares']>[number];

/** The part that a file lacks when it is skipped for one of these reasons; nobody can read the rest. */
const lacking: Partial<Record<DiagnosticCode, (message: string) => Spared | null>> = {
  'field-missing': (message) => (message.startsWith('name') ? 'name' : 'description'),
  'frontmatter-missing': () => 'front matter',
  'frontmatter-unclosed': () => 'front matter',
  'frontmatter-unreadable': () => 'front matter',
  'frontmatter-not-a-map': () => 'front matter',
  'frontmatter-language': () => null,
  'frontmatter-too-large': () => null,
  'frontmatter-too-complex': () => null,
  'text-encoding': () => null,
};

/** The agent's treatment of the files that we skip. */
function skippedBy(agent: NativeAgent, { diagnostics }: Scan, isRead: (folder: string) => boolean): readonly Skipped[] {
  const byFile = new Map<string, Diagnostic[]>();
  for (const one of diagnostics) {
    if (lacking[one.code] !== undefined) addTo(byFile, one.file, one);
  }
  return [...byFile].map(([file, notes]) => {
    const { message, remedy } = notes[0] as Diagnostic;
    const verdict = isRead(dirname(file)) ? judge(agent, notes) : unread(agent);
    return { file, ...verdict, remedy: `${message}. ${remedy}` };
  });
}

type Verdict = Pick<Skipped, 'sees' | 'reason'>;

function unread({ name }: NativeAgent): Verdict {
  return { sees: 'no', reason: `${name} does not read this folder` };
}

function judge(agent: NativeAgent, notes: readonly Diagnostic[]): Verdict {
  const lacks = notes.map(({ code, message }) => lacking[code]?.(message) ?? null);
  if (lacks.includes(null)) return { sees: 'unknown', reason: `what ${agent.name} makes of it is not known` };
  const without = `without its ${lacks.join(' and ')}`;
  if (agent.spares === null) return { sees: 'unknown', reason: `${agent.name} may not load it ${without}` };
  const isSpared = lacks.every((one) => one !== null && agent.spares?.includes(one));
  return isSpared
    ? { sees: 'yes', reason: `${agent.name} reads it ${without}` }
    : { sees: 'no', reason: `${agent.name} does not offer it ${without}` };
}

/** The room that skills would take of what an agent gives to its list. */
interface ListingUse extends Pick<Listing, 'rooms' | 'overflow'> {
  readonly characters: number;
  /** The maximum number of characters of a description; null where there is no such limit. */
  readonly most: number | null;
}

/** Characters of a description below which it tells a model next to nothing. */
const telling = 60;

/** The part of one skill that an agent's model gets. */
interface Entry {
  readonly skill: Skill;
  /** Number of characters that its author wrote. */
  readonly written: number;
  /** Number of characters shown: null where the skill is left out altogether, and 'unsure' where the room decides. */
  readonly shown: number | null | 'unsure';
}

interface Draft {
  readonly skill: Skill;
  readonly written: number;
  /** The most characters that its description may count for. */
  readonly wanted: number;
  readonly overhead: number;
}

/** Fits skills into an agent's list; the first ones are kept first. */
function fitListing(skills: readonly Skill[], listing: Listing): { entries: Entry[]; use: ListingUse } {
  const drafts = skills.map((skill): Draft => {
    const description = describedBy(skill);
    const written = isAscii(description) ? description.length : lengthOf(description);
    const overhead = listing.overhead({ name: skill.fullName, file: skill.file });
    return { skill, written, wanted: Math.min(written, listing.most), overhead };
  });
  const characters = sum(drafts, ({ wanted, overhead }) => wanted + overhead);
  const { rooms, overflow } = listing;
  const shownIn = (room: Room | undefined): readonly Entry['shown'][] =>
    room === undefined || characters <= room.characters
      ? drafts.map(({ wanted }) => wanted)
      : ways[overflow](drafts, room.characters);
  const [least, most] = [shownIn(rooms[0]), shownIn(rooms.at(-1))];
  const shownOf = ({ wanted }: Draft, index: number): Entry['shown'] => {
    const tells = (shown: Entry['shown'] | undefined): boolean =>
      typeof shown === 'number' && shown >= Math.min(wanted, telling);
    // The agent's model is not known: what only the larger room shows is not certain.
    return tells(most[index]) && !tells(least[index]) ? 'unsure' : (most[index] ?? null);
  };
  return {
    entries: drafts.map((draft, index) => ({
      ...{ skill: draft.skill, written: draft.written },
      shown: shownOf(draft, index),
    })),
    use: { characters, rooms, overflow, most: Number.isFinite(listing.most) ? listing.most : null },
  };
}

/**
 * The description that the model goes by: Claude Code adds when the skill is to be used, where that is a field of its
 * own.
 */
function describedBy({ description, frontmatter }: Skill): string {
  const when = frontmatter['when_to_use'];
  return oneLine(typeof when === 'string' ? `${description} ${when}` : description);
}

type Fit = (drafts: readonly Draft[], limit: number) => readonly Entry['shown'][];

/**
 * Unpredictable: which descriptions are dropped depends on what was used last, or on the order in which the agent read
 * them.
 */
const nobodyKnows: Fit = (drafts) => drafts.map(() => 'unsure');

const ways: Readonly<Record<Listing['overflow'], Fit>> = {
  /** Gives every description the same room, and the long ones what short ones leave. Then entries fall off the end. */
  'shortens evenly'(drafts, limit) {
    const room = limit - sum(drafts, ({ overhead }) => overhead);
    if (room < 0) return namesUntilFull(drafts, limit);
    const level = levelFor(
      drafts.map(({ wanted }) => wanted),
      room,
    );
    return drafts.map(({ wanted }) => Math.min(wanted, level));
  },
  'drops descriptions': nobodyKnows,
  'not known': nobodyKnows,
};

function namesUntilFull(drafts: readonly Draft[], limit: number): (number | null)[] {
  let room = limit;
  return drafts.map(({ overhead }) => {
    room -= overhead;
    return room < 0 ? null : 0;
  });
}

/** The length to which all may grow so that together they take no more than the room. */
export function levelFor(lengths: readonly number[], room: number): number {
  let left = room;
  const ordered = [...lengths].sort((a, b) => a - b);
  for (const [index, length] of ordered.entries()) {
    const share = Math.floor(left / (ordered.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

function sum(drafts: readonly Draft[], of: (draft: Draft) => number): number {
  return drafts.reduce((total, draft) => total + of(draft), 0);
}
