import type { Listing, Room } from '../../agents/types.ts';
import { isAscii, oneLine } from '../../core/text/text.ts';
import { lengthOf } from '../../skill/rules/finding.ts';
import type { Skill } from '../../skill/types.ts';

/** The room that skills would take of what an agent gives to its list. */
export interface ListingUse extends Pick<Listing, 'rooms' | 'overflow'> {
  readonly characters: number;
  /** The maximum number of characters of a description; null where there is no such limit. */
  readonly most: number | null;
}

/** Characters of a description below which it tells a model next to nothing. */
export const telling = 60;

/** The part of one skill that an agent's model gets. */
export interface Entry {
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
export function fitListing(skills: readonly Skill[], listing: Listing): { entries: Entry[]; use: ListingUse } {
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
