import type { OutputOf } from '../../faces/web/operations.ts';
import { foreignCut, type Tone } from '../parts/words.ts';

type Finding = OutputOf<'locked'>['quarantine'][number]['findings'][number];

const tones: Readonly<Record<Finding['severity'], Tone>> = { low: '', medium: 'warn', high: 'bad', critical: 'bad' };
const longest = 400;

/** The findings of a scan: what was found where, and why it matters. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul class="get-findings" aria-label="Findings of the scan">
      {findings.map((finding, place) => (
        <li key={place}>
          <p>
            <span class={`badge ${tones[finding.severity]}`}>{finding.severity}</span>{' '}
            <bdi class="mono">
              {foreignCut(finding.file, longest)}
              {finding.line !== null && `:${finding.line}`}
            </bdi>{' '}
            <bdi>{foreignCut(finding.found, longest)}</bdi>
          </p>
          <p class="quiet">
            <bdi>{foreignCut(finding.why, longest)}</bdi>
          </p>
        </li>
      ))}
    </ul>
  );
}
