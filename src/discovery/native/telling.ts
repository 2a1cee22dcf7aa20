import { byText, grouped } from '../../kernel/text.ts';
import type { Skill } from '../../skill/types.ts';
import { type Entry, fitListing, type ListingUse, telling } from './listing.ts';
import type { Loaded } from './meeting.ts';
import { sightOf } from './sights.ts';
import type { NativeAgent, Sight } from './types.ts';

/** What an agent tells its model of the skills that it has. Null where nothing is known of its list. */
export function tellOf(agent: NativeAgent, kept: readonly Loaded[], sights: Map<Skill, Sight>): ListingUse | null {
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

/** A project's before a user's before a plugin's; then by name. */
function inListOrder(skills: readonly Skill[]): readonly Skill[] {
  return [...skills].sort(
    (a, b) => scopes.indexOf(a.location) - scopes.indexOf(b.location) || byText(a.fullName, b.fullName),
  );
}

/** What the list has room for. */
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
