import type { ComponentChildren } from 'preact';
import type { DraftOutput } from '../../engine/operations/skills/draft.ts';
import { bdi } from './elements.tsx';
import { Icon } from './icon.tsx';
import { message } from './words.ts';

type Finding = DraftOutput['findings'][number];

const looks = {
  error: { tone: 'bad', icon: 'error' },
  warning: { tone: 'warn', icon: 'warn' },
  info: { tone: '', icon: 'info' },
} as const;

interface FindingListProps {
  readonly findings: readonly Finding[];
  /** The place of a finding, as something that leads there. */
  readonly where: (finding: Finding) => ComponentChildren;
}

/** Findings about a skill or a file: what is wrong, where, and what to do about it. */
export function FindingList({ findings, where }: FindingListProps) {
  return (
    <ul class="findings">
      {findings.map((finding) => (
        <li
          key={`${finding.code}:${finding.file}:${finding.line}:${finding.message}`}
          class={looks[finding.severity].tone}
        >
          <Icon name={looks[finding.severity].icon} />
          <span>
            {bdi(message(finding.message))} {where(finding)}
            <br />
            <span class="quiet">{bdi(message(finding.remedy))}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
