import { basename } from 'node:path';
import { type Diagnostic, diagnostic } from '../core/diagnostics.ts';
import { grouped } from '../core/text/text.ts';
import { nativeAgents } from '../discovery/native/agents.ts';
import type { TraitName } from '../discovery/native/traits.ts';
import { lengthOf } from '../skill/rules/finding.ts';
import type { Skill } from '../skill/types.ts';
import { longest } from '../skill/types.ts';

/** A limit that some client puts on skills, and which of ours it hits. */
interface ClientLimit {
  readonly exceeds: (skill: Skill) => boolean;
  readonly message: (skill: Skill) => string;
  readonly remedy: string;
}

const limits: readonly ClientLimit[] = [
  {
    exceeds: ({ file }) => basename(file) !== 'SKILL.md',
    message: ({ file }) => `no agent that was tried sees a file called ${basename(file)}`,
    remedy: 'Rename it to SKILL.md.',
  },
  {
    exceeds: ({ name }) => lengthOf(name) > longest.name,
    message: () => `${notShowing('long-name')} not show skills with names of more than ${longest.name} characters`,
    remedy: 'Shorten the name.',
  },
  {
    exceeds: ({ description }) => lengthOf(description) > longest.description,
    message: ({ description }) => `${notShowing('long-description')} not show it${cutTo(lengthOf(description))}`,
    remedy: 'Shorten the description; put the rest into the text.',
  },
  {
    exceeds: ({ repaired }) => repaired,
    message: () => `${notShowing('yaml')} not show this skill: their parsers are strict`,
    remedy: 'Run repertoire validate --fix on it.',
  },
  {
    exceeds: ({ name }) => name.includes(':'),
    message: () => 'a colon in a name separates plugin and skill in most agents; Gemini CLI changes it',
    remedy: 'Use a hyphen.',
  },
];

/** Names the agents that pass over skills with a trait, followed by `do` or `does`. */
function notShowing(trait: TraitName): string {
  const names = nativeAgents.filter(({ traits }) => traits.get(trait) === 'lost').map(({ name }) => name);
  return `${inWords(names)} ${names.length === 1 ? 'does' : 'do'}`;
}

/**
 * Names the agents that show only a part of a description of this length. Those that already cut what the format allows
 * cut nearly all, and are left out.
 */
function cutTo(length: number): string {
  const cuts = nativeAgents
    .map(({ name, listing }) => ({ name, most: listing?.most ?? 0 }))
    .filter(({ most }) => most >= longest.description && most < length)
    .sort((a, b) => a.most - b.most)
    .map(({ name, most }, at) => `${name} ${at === 0 ? 'shows ' : ''}only ${grouped(most)}`);
  return cuts.length === 0 ? '' : `, and of the description's ${length} characters ${inWords(cuts)}`;
}

function inWords(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');
}

/** Notes what clients other than us will cut off, change or not see at all. */
export function clientLimitsOf(skill: Skill): Diagnostic[] {
  return limits
    .filter((limit) => limit.exceeds(skill))
    .map((limit) => diagnostic('client-limit', skill.file, limit.message(skill), limit.remedy));
}
