import { fileAddress } from '../api.ts';
import { foreign } from '../parts/foreign.ts';
import { isPicture } from '../parts/picture.ts';
import type { Place } from './address.ts';
import type { Target } from './tree.ts';

interface PictureProps {
  readonly to: Target;
  readonly alt: string;
  readonly place: Place;
}

/** Only a picture that belongs to the skill is shown. Nothing is fetched from anywhere else. */
export function Picture({ to, alt, place }: PictureProps) {
  if (to.kind === 'file' && isPicture(to.path)) {
    return <img src={fileAddress(place.skill, to.path)} alt={foreign(alt)} loading="lazy" decoding="async" />;
  }
  return (
    <span class="markdown-image">
      image: {alt !== '' && <bdi>{foreign(alt)} </bdi>}
      <code>{foreign(addressOf(to))}</code>
    </span>
  );
}

function addressOf(to: Target): string {
  switch (to.kind) {
    case 'file':
      return to.path;
    case 'anchor':
      return `#${to.anchor}`;
    case 'outside':
      return to.href;
    case 'nowhere':
      return to.address;
  }
}
