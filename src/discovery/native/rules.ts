import type { Outcome, Reading, Source } from '../../agents/types.ts';
import { grouped } from '../../core/text/text.ts';
import { traitNames, traits } from './traits.ts';
import type { NativeAgent } from './types.ts';

/** One fact about an agent, or one known gap. */
export interface Rule {
  readonly does: 'reads' | 'shows' | 'does not show' | 'leaves to people' | 'not known';
  readonly what: string;
  readonly source: Source;
}

const outcomes: Readonly<Record<Outcome | 'unsure', Rule['does']>> = {
  listed: 'shows',
  manual: 'leaves to people',
  lost: 'does not show',
  unsure: 'not known',
};

const twins: Readonly<Record<NativeAgent['sameName'], Pick<Rule, 'does' | 'what'>>> = {
  all: { does: 'shows', what: 'all skills that share a name' },
  first: { does: 'shows', what: 'the first of the skills that share a name' },
  unknown: { does: 'not known', what: 'which of the skills that share a name is shown' },
};

const whereabouts: Readonly<Record<Reading['folders'], string>> = {
  all: '',
  start: ' in the folder it starts in, not above it',
  top: ' at the top of the repository, not below it',
};

/** Formats the agent's row as sentences, each with its source. */
export function rulesOf({ places, source, traits: row, listing, sameName }: NativeAgent): readonly Rule[] {
  const most = listing !== null && Number.isFinite(listing.most) ? [listing.most] : [];
  const read = places.map((place): Rule => {
    return { does: 'reads', what: place.shown + whereabouts[place.folders], source: place.source ?? source };
  });
  if (listing === null) return read;
  const known: readonly Omit<Rule, 'source'>[] = [
    ...traitNames.map((name) => ({ does: outcomes[row.get(name) ?? 'unsure'], what: traits[name].shown })),
    twins[sameName],
    ...most.map((length) => ({
      does: 'shows' as const,
      what: `at most ${grouped(length)} characters of a description`,
    })),
    ...listing.rooms.map((room) => {
      return { does: 'shows' as const, what: `a list of ${grouped(room.characters)} characters with ${room.with}` };
    }),
  ];
  return [...read, ...known.map((rule) => ({ ...rule, source }))];
}
