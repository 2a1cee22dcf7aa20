import { counted } from '../../core/text/text.ts';
import type { InspectFile, InspectOutput } from '../../engine/operations/skills/inspect.ts';
import { ask } from '../api.ts';
import { revisions } from '../live.ts';
import { type Named, skillHref } from '../markdown/address.ts';
import { Diff } from '../parts/diff.tsx';
import { bdi, Crumbs, Ready } from '../parts/elements.tsx';
import { useLoaded } from '../parts/hooks.ts';
import { foreign, foreignCut, place } from '../parts/words.ts';
import { hrefOf, route } from '../route.ts';
import { joined, readParts } from './values.ts';

/** Files that are listed, and parts of a file that are compared: more is data. */
const [mostFiles, mostParts] = [300, 16];

/** Two skills of one name side by side: `#/skill/NAME/compare?of=FILE&with=OTHER`. */
export function ComparePage({ skill, of }: Named) {
  const other = route.value.query.get('with') ?? '';
  const path = route.value.query.get('path') ?? 'SKILL.md';
  const both = useLoaded(
    (signal) => Promise.all([of, other].map((file) => ask('inspect', { name: skill, file }, signal))),
    [skill, of, other, revisions.skills.value],
  );
  return (
    <>
      <Crumbs
        label="Where this is"
        way={[
          { href: hrefOf('skills'), text: 'Skills' },
          { href: skillHref({ skill, of }), text: skill },
        ]}
      />
      <h1>Compare</h1>
      <Ready loaded={both}>
        {([mine, theirs]) =>
          mine === undefined || theirs === undefined ? null : (
            <>
              <FileChoice skill={skill} sides={[mine, theirs]} path={path} />
              <FileDiff skill={skill} sides={[mine, theirs]} path={path} />
            </>
          )
        }
      </Ready>
    </>
  );
}

interface SidesProps {
  readonly skill: string;
  readonly sides: readonly [InspectOutput, InspectOutput];
  readonly path: string;
}

/** The files of both, those that differ first. */
function FileChoice({ skill, sides: [mine, theirs], path }: SidesProps) {
  const [own, other] = [mine, theirs].map(({ files }) => new Map(files.map((file) => [file.path, file])));
  const paths = [...new Set([...mine.files, ...theirs.files].map((file) => file.path))];
  const rows = paths.map((one) => ({ path: one, state: stateOf(own?.get(one), other?.get(one)) }));
  const changed = rows.filter(({ state }) => state !== 'same');
  return (
    <>
      <p class="quiet">
        {changed.length === 0
          ? `All ${counted(rows.length, 'file')} are the same.`
          : `${counted(changed.length, 'file')} of ${rows.length} differ.`}
      </p>
      <ul class="compare-files" aria-label="Files that differ">
        {changed.slice(0, mostFiles).map((row) => (
          <li key={row.path}>
            <a
              href={skillHref({ skill, of: mine.skill.file }, ['compare'], { with: theirs.skill.file, path: row.path })}
              aria-current={row.path === path ? 'page' : undefined}
            >
              {bdi(foreignCut(row.path, 100))}
            </a>{' '}
            <span class="badge">{row.state}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function stateOf(own: InspectFile | undefined, other: InspectFile | undefined): string {
  if (own === undefined) return 'only right';
  if (other === undefined) return 'only left';
  return own.digest !== null && own.digest === other.digest ? 'same' : 'differs';
}

function FileDiff({ skill, sides, path }: SidesProps) {
  const loaded = useLoaded(
    (signal) => Promise.all(sides.map((side) => textOf(skill, side, path, signal))),
    [skill, path, ...sides.map(({ skill: { file }, digest }) => `${file} ${digest}`)],
  );
  return (
    <Ready loaded={loaded}>
      {([before, after]) =>
        before === undefined || after === undefined || before === null || after === null ? (
          <p class="notice">This file is not text, so it is not compared line by line.</p>
        ) : (
          <Diff
            label={`Differences in ${foreign(path)}`}
            before={before}
            after={after}
            isSplit
            sides={[place(sides[0].skill.file), place(sides[1].skill.file)]}
          />
        )
      }
    </Ready>
  );
}

/** The text of a file; empty where it does not exist, null where it is no text. */
async function textOf(
  name: string,
  { skill: { file }, files }: InspectOutput,
  path: string,
  signal: AbortSignal,
): Promise<string | null> {
  if (!files.some((one) => one.path === path)) return '';
  const parts = await readParts((offset) => ask('read', { name, file, path, offset }, signal), mostParts);
  return parts.some(({ encoding }) => encoding === 'base64') ? null : joined(parts);
}
