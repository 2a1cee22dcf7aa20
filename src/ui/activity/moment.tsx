import { moment } from '../parts/words.ts';
import { shortMoment } from './words.ts';

/** When it was: briefly, and whole for those who point at it. */
export function Moment({ iso }: { readonly iso: string }) {
  return (
    <time dateTime={iso} title={moment(iso)} class="activity-time">
      {shortMoment(iso, new Date())}
    </time>
  );
}
