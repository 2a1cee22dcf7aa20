import type { LogLine } from '../../engine/operations/health.ts';
import { useAtEnd } from '../parts/at-end.ts';
import { foreignCut } from '../parts/foreign.ts';
import { moment } from '../parts/words.ts';
import { mayAct } from '../session.ts';
import { toneOfLevel } from './words.ts';

const longestLine = 4000;

/** The end of the log. Who has scrolled up stays there; everyone else sees what is new. */
export function LogTail({ log }: { readonly log: readonly LogLine[] }) {
  const following = useAtEnd<HTMLElement>(log);
  if (!mayAct()) return <p class="quiet">The log is visible only to those who run the server.</p>;
  if (log.length === 0) {
    return (
      <p class="quiet">
        The log is empty. It shows more with <code>--log-level debug</code>.
      </p>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class="health-log" {...following} tabIndex={0} aria-label="Lines of the log">
      <ol>
        {log.map(({ time, level, message }, place) => (
          <li key={place}>
            <time dateTime={time} title={moment(time)}>
              {new Date(time).toLocaleTimeString()}
            </time>{' '}
            <span class={`badge ${toneOfLevel(level)}`}>{foreignCut(level, 20)}</span>{' '}
            <bdi>{foreignCut(message, longestLine)}</bdi>
          </li>
        ))}
      </ol>
    </section>
  );
}
