import { byText } from '../../kernel/text.ts';
import type { Skill } from '../../skill/types.ts';
import { type Entry, fitListing, type ListingUse } from './listing.ts';
import type { Loaded } from './meeting.ts';
import { sightOf } from './sights.ts';
import type { NativeAgent, Sight } from './types.ts';

/** Fewer characters of a description than this tell a model next to nothing. */
const telling = 60;

/** What an agent tells its model of the skills that it has. Null where its list has no known limit. */
export function tellOf(agent: NativeAgent, kept: readonly Loaded[], sights: Map<Skill, Sight>): ListingUse | null {
  const shown: Skill[] = [];
  for (const { skill, sight } of kept) {
    const manual = agent.obeysManual && isManual(skill);
    const words = manual ? 'leaves it to people to call it, as the skill asks' : 'reads this folder';
    sights.set(skill, sight ?? sightOf('listed', `${agent.name} ${words}`));
    if (!manual) shown.push(skill);
  }
  if (agent.listing === null) return null;
  const { entries, use } = fitListing(inListOrder(shown), agent.listing);
  const full = `the list of its skills takes ${number(use.characters)} characters and may take ${number(use.limit)}`;
  for (const entry of entries) {
    const before = sights.get(entry.skill);
    if (before?.state === 'listed')
      sights.set(entry.skill, fitted(agent, entry, full) ?? { ...before, characters: entry.shown });
  }
  return use;
}

function isManual({ frontmatter }: Skill): boolean {
  const said = frontmatter['disable-model-invocation'];
  return said === true || said === 1 || (typeof said === 'string' && /^(?:true|yes|on|1)$/i.test(said));
}

const scopes: readonly Skill['location'][] = ['project', 'global', 'plugin'];

/** A project's before a user's before a plugin's; then by name. */
function inListOrder(skills: readonly Skill[]): readonly Skill[] {
  return [...skills].sort(
    (a, b) => scopes.indexOf(a.location) - scopes.indexOf(b.location) || byText(a.fullName, b.fullName),
  );
}

/** What the list has no room for; null where it is all there. */
function fitted({ name, listing }: NativeAgent, { written, shown }: Entry, full: string): Sight | null {
  if (shown === null) return sightOf('omitted', `${name} leaves it out: ${full}`, 0);
  if (shown >= written) return null;
  if (shown === 0) return sightOf('bare', `${name} shows its name without a description: ${full}`, 0);
  const why = shown === listing?.most ? '' : `: ${full}`;
  const reason = `${name} shows ${number(shown)} of the ${number(written)} characters of its description${why}`;
  return sightOf(shown < telling ? 'bare' : 'shortened', reason, shown);
}

function number(value: number): string {
  return value.toLocaleString('en');
}
