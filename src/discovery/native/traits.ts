import { basename } from 'node:path';
import type { Native, Outcome } from '../../agents/types.ts';
import { grouped } from '../../core/text/text.ts';
import { lengthOf } from '../../skill/rules/finding.ts';
import type { Skill } from '../../skill/types.ts';
import { longest } from '../../skill/types.ts';
import type { Candidate } from './types.ts';

/** A property of a skill that agents treat differently. */
interface Trait {
  readonly has: (candidate: Candidate) => boolean;
  /** The property in words, worded to continue "a skill with". */
  readonly shown: string;
}

/** Restricts a test to skills outside of plugins: a plugin itself says where its skills are. */
const below = (test: (trail: readonly string[]) => boolean) => (one: Candidate) =>
  one.root.plugin === null && test(one.trail);
const isDotted = (name: string | undefined): boolean => name?.startsWith('.') === true;

/**
 * Everything that some agent was seen to stumble over. A skill with none of these is shown by every agent that reads
 * its folder.
 */
const table = {
  'in-root': {
    has: below((trail) => trail.length === 0),
    shown: 'a SKILL.md in the folder of skills itself',
  },
  nested: {
    has: below((trail) => trail.length > 1 && trail.length <= 6),
    shown: 'a path two to six folders deep',
  },
  deep: {
    has: below((trail) => trail.length > 6),
    shown: 'a path more than six folders deep',
  },
  'inside-another': {
    has: ({ root, trail, isSkill }) => root.plugin === null && trail.some((_, depth) => depth > 0 && isSkill(depth)),
    shown: 'a path inside the folder of another skill',
  },
  'below-root-skill': {
    has: ({ root, trail, isSkill }) => root.plugin === null && trail.length > 0 && isSkill(0),
    shown: 'a SKILL.md in the folder of skills above it',
  },
  'hidden-folder': {
    // Codex keeps its own skills in `.system`, and reads them.
    has: (one) => below((trail) => isDotted(trail.at(-1)))(one) && !isCodexSystem(one),
    shown: 'a folder whose name starts with a dot',
  },
  'below-hidden': {
    has: (one) => below((trail) => trail.slice(0, -1).some(isDotted))(one) && !isCodexSystem(one),
    shown: 'a path below a folder whose name starts with a dot',
  },
  'file-name': {
    has: ({ skill }) => basename(skill.file) !== 'SKILL.md',
    shown: 'a file that is not called exactly SKILL.md',
  },
  mark: { has: ({ startsWithMark }) => startsWithMark(), shown: 'a byte order mark at its start' },
  large: { has: ({ size }) => size() > 500_000, shown: 'a SKILL.md of more than 500 kB' },
  colon: {
    has: ({ flaws }) => flaws.has('colon'),
    shown: 'an unquoted colon in a value, which is not valid YAML (repertoire validate --fix fixes it)',
  },
  yaml: {
    has: ({ flaws }) => flaws.has('yaml'),
    shown: 'front matter that is not valid YAML (repertoire validate --fix fixes it)',
  },
  fences: {
    has: ({ flaws }) => flaws.has('odd'),
    shown: 'front matter that starts or ends oddly, or has a field twice',
  },
  types: {
    has: ({ skill }) => hasOddTypes(skill),
    shown: 'a field of an unexpected type, such as a list for metadata or argument-hint',
  },
  'plain-types': {
    has: ({ skill: { frontmatter } }) => !isText(frontmatter['name']) || !isText(frontmatter['description']),
    shown: 'a number, a list or a map for its name or description',
  },
  'long-name': {
    has: ({ skill }) =>
      lengthOf(skill.plugin === null ? skill.name : skill.fullName) >
      (skill.plugin ? 2 * longest.name + 1 : longest.name),
    shown: `a name of more than ${longest.name} characters`,
  },
  'name-letters': {
    has: ({ skill }) => /[\s/]|[^\0-\x7f]/.test(writtenName(skill)),
    shown: 'a space, a slash or a letter beyond a to z in its name',
  },
  'name-signs': {
    has: ({ skill }) => /[^\p{L}\p{M}\p{N}\s/:_-]|^-|-$/u.test(writtenName(skill)),
    shown: 'punctuation other than : and _, or a hyphen at the start or end, in its name',
  },
  'long-description': {
    has: ({ skill }) => lengthOf(skill.description) > longest.description,
    shown: `a description of more than ${grouped(longest.description)} characters`,
  },
  manual: {
    has: ({ skill }) => skill.frontmatter['disable-model-invocation'] === true,
    shown: 'disable-model-invocation: true',
  },
  'manual-spelling': {
    has: ({ skill }) => /^(?:true|yes|on|1)$/i.test(wordOf(skill.frontmatter['disable-model-invocation'])),
    shown: 'disable-model-invocation spelt yes, on, 1 or "true"',
  },
  paths: {
    has: ({ skill }) => skill.frontmatter['paths'] !== undefined,
    shown: 'a paths field, which limits it to some files',
  },
  'codex-policy': {
    has: ({ isForPeopleInCodex }) => isForPeopleInCodex(),
    shown: 'allow_implicit_invocation: false in agents/openai.yaml',
  },
} as const satisfies Record<string, Trait>;

export type TraitName = keyof typeof table;
export const traits: Readonly<Record<TraitName, Trait>> = table;
export const traitNames = Object.keys(table) as readonly TraitName[];

/** The outcome of each trait that an agent's object mentions. */
export function outcomesOf(traits: NonNullable<Native['traits']>): ReadonlyMap<TraitName, Outcome> {
  const said = Object.entries(traits) as [Outcome, string][];
  return new Map(said.flatMap(([outcome, names]) => names.split(/\s+/).map((name) => [name as TraitName, outcome])));
}

function isCodexSystem({ root, trail }: Candidate): boolean {
  return root.provider === 'codex' && trail.filter(isDotted).every((name) => name === '.system');
}

/** The name as its author wrote it, before characters that could be taken for a path were changed. */
function writtenName({ frontmatter, name }: Skill): string {
  const written = frontmatter['name'];
  return typeof written === 'string' ? written : name;
}

function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isSwitch = (value: unknown): boolean =>
  typeof value === 'boolean' || /^(?:true|false|yes|no|on|off|1|0)$/i.test(wordOf(value));
const expected: readonly (readonly [string, (value: unknown) => boolean])[] = [
  ['model', isText],
  ['license', isText],
  ['compatibility', isText],
  ['allowed-tools', (value) => isText(value) || Array.isArray(value)],
  ['argument-hint', isText],
  ['user-invocable', isSwitch],
  ['disable-model-invocation', isSwitch],
  ['metadata', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
];

function hasOddTypes({ frontmatter }: Skill): boolean {
  return expected.some(([field, fits]) => frontmatter[field] !== undefined && !fits(frontmatter[field]));
}
