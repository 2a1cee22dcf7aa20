/** Above every user that people, distributions and containers make; a process has as many as a byte can count. */
const first = 0x4000_0000;
const perProcess = 256;

const taken = new Set<number>();

export interface RunUser {
  readonly id: number;
  release(): void;
}

/**
 * A user of its own for one run, where we are root and must not let the run be. Two runs never share one, be they of
 * two processes: neither can then signal, trace or count against the other.
 */
export function takeUser(): RunUser | null {
  for (let slot = 0; slot < perProcess; slot++) {
    if (taken.has(slot)) continue;
    taken.add(slot);
    return { id: first + process.pid * perProcess + slot, release: () => void taken.delete(slot) };
  }
  return null;
}

/** Whether a file belongs to another run, of which it tells who made it. */
export function isOfOtherRun(user: number, own: RunUser | null): boolean {
  return user >= first && user !== own?.id;
}
