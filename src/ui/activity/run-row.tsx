import { useState } from 'preact/hooks';
import type { AuditRow } from '../../engine/operations/audit.ts';
import { durationInWords, sizeInWords } from '../../kernel/quantities.ts';
import { foreignCut } from '../parts/foreign.ts';
import { Moment } from './moment.tsx';
import { Record } from './record.tsx';
import { callerOf, outcomeOf } from './words.ts';

const longestName = 120;

/** An execution in a line, which opens to the whole record. */
export function RunRow({ row, isFirstOpen }: { readonly row: AuditRow; readonly isFirstOpen: boolean }) {
  const [isOpen, setIsOpen] = useState(isFirstOpen);
  const { tone, text } = outcomeOf(row);
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          <Moment iso={row.timestamp} />
          <span class="activity-what">
            <bdi>{foreignCut(row.event === 'grant' ? row.skill : `${row.skill}:${row.tool}`, longestName)}</bdi>
          </span>
          <span>
            <span class={`badge ${tone}`}>{foreignCut(text, longestName)}</span>
            {row.unsafe === true && <span class="badge bad">no sandbox</span>}
          </span>
          <span class="activity-number">
            <span class="hidden">took </span>
            {row.durationMs === null ? '–' : durationInWords(row.durationMs)}
          </span>
          <span class="activity-number">
            <span class="hidden">output </span>
            {row.outputBytes === null ? '–' : sizeInWords(row.outputBytes)}
          </span>
          <span class="quiet">
            <span class="hidden">by </span>
            <bdi>{foreignCut(callerOf(row), longestName)}</bdi>
          </span>
          <span class="quiet">
            <bdi>{foreignCut(String(row.runtime), longestName)}</bdi>
          </span>
        </summary>
        {isOpen && <Record row={row} />}
      </details>
    </li>
  );
}
