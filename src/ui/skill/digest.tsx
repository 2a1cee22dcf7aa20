import { CopyButton } from '../parts/copy.tsx';
import { foreign } from '../parts/words.ts';
import { shortDigest } from './values.ts';

/** A digest, as much as is needed to recognize it; all of it can be copied. */
export function Digest({ digest, of }: { readonly digest: string; readonly of: string }) {
  return (
    <span class="skill-hash">
      <code title={digest}>{shortDigest(digest)}</code>{' '}
      <CopyButton text={digest} label={`Copy the digest of ${foreign(of)}`} />
    </span>
  );
}
