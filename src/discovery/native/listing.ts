import { isAscii, oneLine } from '../../kernel/text.ts';
import { lengthOf } from '../../skill/rules/finding.ts';
import type { Skill } from '../../skill/types.ts';
import type { Listing } from './types.ts';

/** How much of the room that an agent gives to its list of skills they would take. */
export interface ListingUse {
  readonly characters: number;
  readonly limit: number;
  readonly basis: string;
  readonly order: string;
}

/** What an agent's model gets of one skill. */
export interface Entry {
  readonly skill: Skill;
  /** What its author wrote. */
  readonly written: number;
  /** What of it is shown; null where the skill is left out altogether. */
  readonly shown: number | null;
}

interface Draft {
  readonly skill: Skill;
  readonly written: number;
  /** What its description may count for at most. */
  readonly wanted: number;
  readonly overhead: number;
}

/** Fits skills, the first to be kept first, into an agent's list. */
export function fitListing(skills: readonly Skill[], listing: Listing): { entries: Entry[]; use: ListingUse } {
  const drafts = skills.map((skill): Draft => {
    const description = describedBy(skill);
    const written = isAscii(description) ? description.length : lengthOf(description);
    const overhead = listing.overhead({ name: skill.fullName, file: skill.file });
    return { skill, written, wanted: Math.min(written, listing.most), overhead };
  });
  const characters = sum(drafts, ({ wanted, overhead }) => wanted + overhead);
  const fitting = characters <= listing.characters ? wholly : ways[listing.cuts];
  const shown = fitting(drafts, listing.characters);
  const { characters: limit, basis, order } = listing;
  return {
    entries: drafts.map(({ skill, written }, index) => ({ skill, written, shown: shown[index] ?? null })),
    use: { characters, limit, basis, order },
  };
}

/** What the model is told to go by: Claude Code adds when the skill is to be used, where that is said apart. */
function describedBy({ description, frontmatter }: Skill): string {
  const when = frontmatter['when_to_use'];
  return oneLine(typeof when === 'string' ? `${description} ${when}` : description);
}

/** So many characters of each description, or null for an entry that is left out. */
type Fit = (drafts: readonly Draft[], limit: number) => readonly (number | null)[];

const wholly: Fit = (drafts) => drafts.map(({ wanted }) => wanted);

const ways: Readonly<Record<Listing['cuts'], Fit>> = {
  /** Every description gets the same room, and what short ones leave goes to the long. Then entries fall off the end. */
  evenly(drafts, limit) {
    const room = limit - sum(drafts, ({ overhead }) => overhead);
    if (room < 0) return namesUntilFull(drafts, limit);
    const level = levelFor(
      drafts.map(({ wanted }) => wanted),
      room,
    );
    return drafts.map(({ wanted }) => Math.min(wanted, level));
  },
  /** Every name stays; descriptions are there as long as there is room. */
  'in-order'(drafts, limit) {
    let room = limit - sum(drafts, ({ overhead }) => overhead);
    return drafts.map(({ wanted }) => {
      if (wanted > room) return 0;
      room -= wanted;
      return wanted;
    });
  },
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
