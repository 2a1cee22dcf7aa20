import type { Watching } from '../engine/engine.ts';
import type { Terminal } from './terminal.ts';

/** A line that tells how far long work has come, for people who watch; it goes away when the result is there. */
interface ProgressLine extends Required<Pick<Watching, 'onScan' | 'onIndexing' | 'onMeasuring'>> {
  readonly clear: () => void;
}

/** Nobody needs to be told about what takes less than this. */
const patienceMs = 1000;
const intervalMs = 100;

export function progressLine(terminal: Terminal): ProgressLine {
  let next = Date.now() + patienceMs;
  let isShown = false;
  const show = (text: string) => {
    const now = Date.now();
    if (!terminal.notesAreRead || now < next) return;
    next = now + intervalMs;
    isShown = true;
    terminal.note(`\r${text} …\u001b[K`);
  };
  return {
    onScan: ({ found, read }) => show(`Looking for skills: ${found} found, ${read} read`),
    onIndexing: ({ ready, total }) => show(`Indexing skills for search: ${ready} of ${total}`),
    onMeasuring: ({ done, total }) => show(`Asking queries: ${done} of ${total}`),
    clear() {
      if (isShown) terminal.note('\r\u001b[K');
      isShown = false;
    },
  };
}
