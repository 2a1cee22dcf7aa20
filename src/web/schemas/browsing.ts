import type { BrowseOutput, BrowseRow, FacetValue } from '../../engine/operations/browse.ts';
import type { AgentSight, InspectFile, InspectOutput, InspectPermissions } from '../../engine/operations/inspect.ts';
import type { SkillRecord } from '../../engine/operations/list.ts';
import type { ReadOutput } from '../../engine/operations/read.ts';
import type { WhyOutput } from '../../engine/operations/why.ts';
import { choice, count, flag, list, nullable, object, open, text } from './build.ts';
import { location, pluginKey, ref, runtime } from './shared.ts';

const facet = list(object<FacetValue>({ value: text(), count: count('Among those that match all other filters.') }));

export const browse = object<BrowseOutput>({
  rows: list(
    object<BrowseRow>({
      name: text('The name that loads exactly this skill.'),
      fullName: text(),
      description: text('Shortened for a list.'),
      provider: text(),
      location,
      plugin: pluginKey,
      runtime,
      tools: count('The number of its tools.'),
      states: list(choice(['plain', 'repaired', 'shadowed', 'ambiguous', 'look-alike'])),
      notes: list(
        object<BrowseRow['notes'][number]>({ message: text(), remedy: text() }),
        'Why its state is not plain.',
      ),
      file: text('Its SKILL.md.'),
    }),
  ),
  offset: count(),
  total: count('How many match these filters.'),
  all: count('How many there are without filters.'),
  facets: object<BrowseOutput['facets']>({
    provider: facet,
    location: facet,
    plugin: facet,
    runtime: facet,
    state: facet,
  }),
  skipped: list(ref('Diagnostic'), 'Files that could not be used at all.'),
  revision: text('Changes when the list does.'),
});

const skill = object<SkillRecord>({
  id: text('The real path of its folder.'),
  name: text(),
  fullName: text(),
  description: text(),
  provider: text(),
  location,
  plugin: pluginKey,
  dir: text('The folder as it was found.'),
  file: text('Its SKILL.md.'),
  digest: text('Of SKILL.md.'),
  shadowed: flag('Whether another one of its name is loaded.'),
  looksLike: nullable(text(), 'The skill that its name could be taken for.'),
  repaired: flag('Whether its front matter had to be repaired.'),
  frontmatter: open('As its author wrote it.'),
});

const permissions = object<InspectPermissions>({
  items: list(
    object<InspectPermissions['items'][number]>({
      key: text('As it is named in `only`.'),
      words: text('Continues "it may".'),
      free: flag('Whether it is allowed without a grant.'),
      granted: flag('Whether a valid grant includes it.'),
      tools: list(text(), 'The tools that ask for it; empty where the whole skill does.'),
    }),
  ),
  grant: nullable(
    object<NonNullable<InspectPermissions['grant']>>({
      grantedAt: text(),
      digest: text(),
      valid: flag('Whether it is still valid.'),
      changes: list(text(), 'What has changed since, in words.'),
    }),
  ),
  impossible: nullable(text(), 'What cannot be granted, and why.'),
});

export const inspect = object<InspectOutput>({
  skill,
  name: text('The name that loads exactly this skill.'),
  body: text('SKILL.md without its front matter.'),
  truncated: flag('Whether the text was too long, and is cut.'),
  diagnostics: list(ref('Diagnostic')),
  others: list(ref('Contender'), 'The skills that it shadows, is shadowed by, or is ambiguous with.'),
  files: list(
    object<InspectFile>({
      path: text("From the skill's folder."),
      bytes: count(),
      digest: nullable(text(), 'Null where it could not be read.'),
      mimeType: text(),
    }),
  ),
  refused: list(text(), 'Links that lead outside the skill, or to nothing.'),
  digest: nullable(text(), 'Of all files together: what a grant is bound to.'),
  tools: ref('SkillTools'),
  permissions,
  agents: list(
    object<AgentSight>({
      id: text(),
      name: text(),
      sees: choice(['yes', 'no', 'cut', 'unknown']),
      reason: text(),
    }),
    'Which agents see it by themselves.',
  ),
});

export const read = object<ReadOutput>({
  skill: text(),
  path: text(),
  mimeType: text(),
  size: count('Of the whole file.'),
  encoding: choice(['utf8', 'base64']),
  content: text(),
  nextOffset: nullable(count(), 'Where the next part begins.'),
});

export const why = object<WhyOutput>({
  name: text(),
  outcome: choice(['found', 'ambiguous', 'hidden', 'not-found']),
  step: nullable(
    choice(['full name', 'provider and name', 'provider, plugin and name', 'short name', 'URI']),
    'Which form of name matched.',
  ),
  winner: nullable(ref('Contender')),
  alsoAt: list(text(), "Other paths that lead to the winner's folder."),
  others: list(
    ref('Contender'),
    'What the winner takes precedence over, what an ambiguous name could mean, or what is not seen.',
  ),
  problems: list(ref('Diagnostic'), 'Files of that name that could not be used.'),
  suggestions: list(text()),
});
