import { diagnosticSchema } from '../../../core/diagnostics.ts';
import { expandPath, isInside } from '../../../core/disk/paths.ts';
import { choice, type Infer, list, named, nullable, object, text } from '../../../core/schema/schema.ts';
import { suggest } from '../../../core/text/near.ts';
import { type Scan, scanRoots } from '../../../discovery/scan.ts';
import { tokensAgainst } from '../../../registry/filters.ts';
import { namesakesOf } from '../../../registry/names.ts';
import { checkName, distinctName, nameForms, problemsNamed, resolveName, uriName } from '../../../registry/resolve.ts';
import { enableHint, reasonFor, Snapshot } from '../../../registry/snapshot.ts';
import type { Skill } from '../../../skill/types.ts';
import type { Engine, Request } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';

/** A skill that takes part in the resolution of a name. */
export const contenderSchema = named(
  'Contender',
  object({
    fullName: text(),
    provider: text(),
    location: text(),
    file: text(),
    reason: text('Why it won, lost, or is not seen.'),
  }),
);
export type Contender = Infer<typeof contenderSchema>;

const output = object({
  name: text(),
  outcome: choice(['found', 'ambiguous', 'hidden', 'not-found']),
  step: nullable(choice(nameForms), 'Which form of name matched.'),
  winner: nullable(contenderSchema),
  alsoAt: list(text(), "Other paths that lead to the winner's folder."),
  others: list(
    contenderSchema,
    'What the winner takes precedence over, what an ambiguous name could mean, or what is not seen.',
  ),
  problems: list(diagnosticSchema, 'Files of that name that could not be used.'),
  suggestions: list(text()),
});
export type WhyOutput = Infer<typeof output>;

export const why = defineOperation({
  name: 'why',
  effect: 'reads',
  input: { name: text('The name to explain, as an agent would ask for it.') },
  output,
  async run(engine, { name }, request): Promise<WhyOutput> {
    checkName(name);
    const snapshot = await engine.registry.snapshot();
    const resolution = resolveName(snapshot, name);
    const base = { name, step: null, winner: null, alsoAt: [], others: [], problems: [], suggestions: [] } as const;
    if (resolution.kind === 'found') {
      const { skill, step, beaten, folded } = resolution;
      const how = folded ? `${step}, letter case ignored` : step;
      return {
        ...base,
        outcome: 'found',
        step,
        winner: contender(skill, `it matches by ${how}`),
        alsoAt: otherPaths(skill, snapshot.scan.aliases),
        others: [
          ...beaten.map((other) => contender(other, reasonFor(skill, other))),
          ...namesakesOf(snapshot, skill)
            .filter((other) => !beaten.includes(other))
            .map((other) => contender(other, `it has the same name: ask for ${distinctName(snapshot, other)}`)),
        ],
      };
    }
    if (resolution.kind === 'ambiguous') {
      const { candidates, step } = resolution;
      const others = candidates.map((skill) => contender(skill, `ask for ${distinctName(snapshot, skill)}`));
      return { ...base, outcome: 'ambiguous', step, others };
    }
    const others = await hiddenSkills(engine, snapshot, name, request);
    const problems = problemsNamed(snapshot, uriName(name) ?? name).filter(
      ({ file }) => !others.some((other) => other.file === file), // listed above, as the reason
    );
    const suggestions = suggest(
      name,
      snapshot.visible.map((skill) => skill.fullName),
    );
    return {
      ...base,
      outcome: others.length + problems.length > 0 ? 'hidden' : 'not-found',
      others,
      problems,
      suggestions,
    };
  },
});

/** Other paths that lead to a skill: links to it, or to a folder around it. */
function otherPaths({ id }: Skill, aliases: Scan['aliases']): string[] {
  const around = [...aliases].filter(([folder]) => isInside(folder, id));
  return around.flatMap(([folder, paths]) => paths.map((path) => path + id.slice(folder.length)));
}

/** A skill with the reason for its place in a resolution. */
export function contender({ fullName, provider, location, file }: Skill, reason: string): Contender {
  return { fullName, provider, location, file, reason };
}

/** Finds skills of that name that filters or disabled plugins leave out. */
async function hiddenSkills(
  { environment }: Engine,
  snapshot: Snapshot,
  name: string,
  { onProgress }: Request,
): Promise<Contender[]> {
  const filePath = (path: string): string => expandPath(path, environment);
  const everything = { include: [], exclude: [], onDuplicate: 'error' } as const;
  const filtered = matching(new Snapshot(snapshot.scan, everything, filePath), name).map((skill) =>
    contender(skill, reasonAgainst(skill, snapshot, filePath)),
  );
  const switchedOff: Contender[] = [];
  for (const { root, reason } of snapshot.scan.hidden) {
    const scan = await scanRoots([root], environment, new Map(), { onProgress });
    const skills = matching(new Snapshot(scan, everything, filePath), name);
    switchedOff.push(...skills.map((skill) => contender(skill, `${reason.message}. ${reason.remedy}`)));
  }
  return [...filtered, ...switchedOff];
}

/** The reason why a skill is not among those that are seen. */
function reasonAgainst(skill: Skill, { disabled, scan, view }: Snapshot, filePath: (path: string) => string): string {
  const entry = disabled.get(skill);
  if (entry !== undefined) return `it is disabled. ${enableHint(entry)}`;
  return `left out by ${tokensAgainst(skill, scan.skills, view, filePath).join(' and ')}`;
}

function matching(snapshot: Snapshot, name: string): readonly Skill[] {
  const resolution = resolveName(snapshot, name);
  if (resolution.kind === 'found') return [resolution.skill, ...resolution.beaten];
  return resolution.kind === 'ambiguous' ? resolution.candidates : [];
}
