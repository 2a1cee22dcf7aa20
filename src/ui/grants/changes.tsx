import { counted } from '../../kernel/text.ts';
import { foreignCut } from '../parts/foreign.ts';
import { moment } from '../parts/words.ts';

const mostShown = 20;

interface ChangesProps {
  readonly grantedAt: string;
  readonly changes: readonly string[];
}

/** What has become of a skill since it was granted something, and so revoked it. */
export function Changes({ grantedAt, changes }: ChangesProps) {
  const more = changes.length - mostShown;
  return (
    <div class="notice warn">
      <p>
        <strong>A change has revoked this grant.</strong> What was granted on {moment(grantedAt)} was for the files as
        they were then. Since then:
      </p>
      <ul aria-label="What has changed">
        {changes.slice(0, mostShown).map((change) => (
          <li key={change}>
            <bdi>{foreignCut(change, 500)}</bdi>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="quiet">and {counted(more, 'change')} more</p>}
    </div>
  );
}
