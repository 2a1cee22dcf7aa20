import { randomBytes } from 'node:crypto';

/** Short names that differ within a server, and from those of the server before it in the same log. */
export function createIds(): () => string {
  const start = randomBytes(4).toString('hex');
  let last = 0;
  return () => {
    last += 1;
    return `${start}-${last.toString(36)}`;
  };
}
