import type { OutputOf } from '../../faces/web/operations.ts';
import { bdi } from '../parts/elements.tsx';
import { foreignCut, type Tone } from '../parts/words.ts';
import { placeHref } from '../route.ts';

type Finding = OutputOf<'locked'>['quarantine'][number]['findings'][number];

const tones: Readonly<Record<Finding['severity'], Tone>> = { low: '', medium: 'warn', high: 'bad', critical: 'bad' };
const longest = 400;

interface FindingsProps {
  readonly findings: readonly Finding[];
  /** The skill that they are about, where it is here to be read. */
  readonly skill?: string | null;
}

/** The findings of a scan: what was found where, and why it matters. */
export function Findings({ findings, skill = null }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <ul class="get-findings" aria-label="Findings of the scan">
      {findings.map((finding, place) => (
        <li key={place}>
          <p>
            <span class={`badge ${tones[finding.severity]}`}>{finding.severity}</span>{' '}
            <Where finding={finding} skill={skill} /> {bdi(foreignCut(finding.found, longest))}
          </p>
          <p class="quiet">{bdi(foreignCut(finding.why, longest))}</p>
        </li>
      ))}
    </ul>
  );
}

function Where({ finding: { file, line }, skill }: { readonly finding: Finding; readonly skill: string | null }) {
  const where = <bdi class="mono">{foreignCut(line === null ? file : `${file}:${line}`, longest)}</bdi>;
  return skill === null ? where : <a href={placeHref(skill, file, line)}>{where}</a>;
}
