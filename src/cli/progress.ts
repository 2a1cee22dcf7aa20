import type { Terminal } from './terminal.ts';

/** A line that tells how far a long scan has come, for people who watch; it goes away when the result is there. */
interface ProgressLine {
  readonly show: (counts: { readonly found: number; readonly read: number }) => void;
  readonly clear: () => void;
}

/** Nobody needs to be told about what takes less than this. */
const patienceMs = 1000;
const intervalMs = 100;

export function progressLine(terminal: Terminal): ProgressLine {
  let next = Date.now() + patienceMs;
  let isShown = false;
  return {
    show({ found, read }) {
      const now = Date.now();
      if (!terminal.notesAreRead || now < next) return;
      next = now + intervalMs;
      isShown = true;
      terminal.note(`\rLooking for skills: ${found} found, ${read} read …\u001b[K`);
    },
    clear() {
      if (isShown) terminal.note('\r\u001b[K');
      isShown = false;
    },
  };
}
