import { basename, dirname, sep } from 'node:path';
import type { Outcome, Reading } from '../../agents/types.ts';
import type { Diagnostic, DiagnosticCode } from '../../core/diagnostics.ts';
import { readRegularPart } from '../../core/disk/files.ts';
import { below } from '../../core/disk/paths.ts';
import { keepRecent } from '../../core/maps.ts';
import type { Skill } from '../../skill/types.ts';
import { colonInValue } from '../../skill/yaml.ts';
import type { Scan } from '../scan.ts';
import { isRelied, words } from './agents.ts';
import { ranksFor, rootsAbove } from './reach.ts';
import { type TraitName, traitNames, traits } from './traits.ts';
import type { Candidate, Flaw, NativeAgent, Sees, Sight, SightState } from './types.ts';

/** A skill that an agent loads, as far as the traits of single skills go. */
export interface Loaded {
  readonly skill: Skill;
  /** The index of the place among those that the agent reads; plugins come after all of them. */
  readonly place: number;
  /** Whether the agent leaves calling it to people. */
  readonly isManual: boolean;
}

const seesOf: Readonly<Record<SightState, Sees>> = {
  listed: 'yes',
  shortened: 'cut',
  bare: 'cut',
  omitted: 'cut',
  lost: 'no',
  hidden: 'no',
  rival: 'unknown',
  elsewhere: 'no',
  unsure: 'unknown',
};

/** States in which the agent's model has the skill, and enough to go by. */
export const covering: ReadonlySet<SightState> = new Set(['listed', 'shortened']);

export function sightOf(state: SightState, reason: string, characters: number | null = null): Sight {
  return { state, sees: seesOf[state], reason, characters };
}

const noFlaws: ReadonlySet<Flaw> = new Set();

/** Returns a function that decides how an agent treats a skill: as one that it loads, or why it does not. */
export function createMeeting(agent: NativeAgent, scan: Scan): (skill: Skill) => Loaded | Sight {
  const map = rootsAbove(scan);
  const rankOf = ranksFor(agent);
  const flaws = flawsByFile(scan.diagnostics);
  const taken = new Set([
    ...scan.skills.map(({ dir }) => dir),
    ...scan.diagnostics.filter(({ file }) => basename(file) === 'SKILL.md').map(({ file }) => dirname(file)),
  ]);
  return (skill) => {
    const verdicts = map
      .reachesOf(skill.dir, skill.id)
      .filter(({ root }) => rankOf(root) >= 0)
      .sort((a, b) => rankOf(a.root) - rankOf(b.root))
      .map(({ root, trail }) => {
        const candidate: Candidate = {
          ...{ skill, root, trail },
          flaws: flaws.get(skill.file) ?? noFlaws,
          isSkill: (depth) => taken.has([root.path, ...trail.slice(0, depth)].join(sep)),
          startsWithMark: () => beginningOf(skill).isMarked,
          size: () => beginningOf(skill).size,
          isForPeopleInCodex: () => isForPeopleInCodex(skill),
        };
        return judged(agent, candidate, rankOf(root));
      });
    // One folder that leads the agent to the skill is enough.
    return verdicts.find((one) => 'place' in one) ?? verdicts[0] ?? sightOf('elsewhere', elsewhere(agent, skill));
  };
}

/** Outcomes by gravity: of several traits, the gravest decides. */
const gravity: readonly (Outcome | 'unsure')[] = ['lost', 'unsure', 'manual'];

function judged(agent: NativeAgent, candidate: Candidate, rank: number): Loaded | Sight {
  const place = agent.places[rank] as Reading;
  const source = place.source ?? agent.source;
  if (!isRelied(source)) {
    const says = `${agent.name} reads this ${kindOf(place)} according to ${words(source)}`;
    return sightOf('unsure', `${says}, but was not seen to`);
  }
  const outcomeOf = (name: TraitName): Outcome | 'unsure' => agent.traits.get(name) ?? 'unsure';
  // Traits that make no difference to the agent are not checked: some checks read the disk.
  const [gravest] = traitNames
    .filter((name) => outcomeOf(name) !== 'listed' && traits[name].has(candidate))
    .sort((a, b) => gravity.indexOf(outcomeOf(a)) - gravity.indexOf(outcomeOf(b)));
  const outcome = gravest === undefined ? 'listed' : outcomeOf(gravest);
  const { skill } = candidate;
  if (gravest === undefined || outcome === 'manual') return { skill, place: rank, isManual: outcome === 'manual' };
  const does = outcome === 'lost' ? 'does not' : 'may not';
  return sightOf(
    outcome === 'lost' ? 'lost' : 'unsure',
    `${agent.name} ${does} show a skill with ${traits[gravest].shown}`,
  );
}

function kindOf({ location }: Reading): string {
  return location === 'plugin' ? 'plugin' : 'folder';
}

function elsewhere({ name, places, source }: NativeAgent, skill: Skill): string {
  if (places.length === 0) return `${name} reads no folder of skills`;
  const does = isRelied(source) ? 'does not' : 'is not known to';
  return skill.plugin === null ? `${name} ${does} read this folder` : `${name} ${does} load this plugin`;
}

const flawOf: Partial<Record<DiagnosticCode, Flaw>> = {
  'frontmatter-repaired': 'yaml',
  'frontmatter-not-first': 'odd',
  'field-duplicate': 'odd',
};

/** The flaws of each file that other readers may stumble over. */
export function flawsByFile(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, ReadonlySet<Flaw>> {
  const flaws = new Map<string, Set<Flaw>>();
  for (const { code, file, message } of diagnostics) {
    const flaw = flawOf[code];
    if (flaw === undefined) continue;
    const all = flaws.get(file) ?? new Set();
    flaws.set(file, all.add(flaw === 'yaml' ? repairedFlaw(message) : flaw));
  }
  return flaws;
}

/**
 * The flaw behind a repair. Unclosed fences are mended under the same code as bad YAML, and quoting does not help
 * against them.
 */
function repairedFlaw(message: string): Flaw {
  if (message.includes('never closed')) return 'odd';
  return message.endsWith(`: ${colonInValue}`) ? 'colon' : 'yaml';
}

interface Beginning {
  readonly isMarked: boolean;
  readonly size: number;
}

/** Beginnings by digest of the file: the same text has the same beginning and the same length. */
const beginnings = new Map<string, Beginning>();
const remembered = 20_000;

/** Reads what our own parser ignores: the size of a SKILL.md, and whether it starts with a byte order mark. */
function beginningOf({ digest, file }: Pick<Skill, 'digest' | 'file'>): Beginning {
  const known = beginnings.get(digest);
  if (known !== undefined) return known;
  const read = readRegularPart(file, 0, 3);
  const beginning = read.ok
    ? { isMarked: read.value.bytes.toString('hex') === 'efbbbf', size: read.value.stats.size }
    : { isMarked: false, size: 0 };
  keepRecent(beginnings, digest, beginning, remembered);
  return beginning;
}

/** Whether Codex is asked, in its own file for such settings, to leave the skill to people. */
function isForPeopleInCodex({ dir }: Pick<Skill, 'dir'>): boolean {
  const read = readRegularPart(below(dir, 'agents/openai.yaml'), 0, 64 * 1024);
  return read.ok && /^\s*allow_implicit_invocation\s*:\s*(?!true\b)\S/m.test(read.value.bytes.toString('utf8'));
}
