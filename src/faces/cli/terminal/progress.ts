import type { OnProgress, Progress } from '../../../core/progress.ts';
import { durationInWords, sizeInWords } from '../../../core/text/quantities.ts';
import type { Terminal } from './terminal.ts';

/** A progress line for long work, for people who watch. Where nobody does, not a byte is written. */
interface ProgressLine {
  readonly onProgress: OnProgress;
  /** The terminal, wrapped so that anything written there replaces the line. */
  readonly terminal: Terminal;
  /** Ends the work and removes the line. */
  readonly end: () => void;
}

/** Delay before the line is shown, and after something else was written: shorter work needs no progress line. */
const quietMs = 1000;
const intervalMs = 200;

export function progressLine(terminal: Terminal): ProgressLine {
  // Most starts are made by programs, and pay for none of this.
  if (!terminal.notesAreRead) return { onProgress() {}, terminal, end() {} };
  let latest: Progress | undefined;
  let since = 0;
  let due = Date.now() + quietMs;
  /** Whether the cursor is at the start of a line; a line begun by other output must not be overwritten. */
  let isLineStart = true;
  let shown = '';
  let timer: NodeJS.Timeout | undefined;

  function show(): void {
    const now = Date.now();
    if (now < due || latest === undefined || !isLineStart) return;
    due = now + intervalMs;
    const text = `${textOf(latest, now - since).slice(0, terminal.noteColumns - 3)} …`;
    if (text !== shown) draw(`\r${text}\u001b[K`, text);
  }

  /** Draws the line; a failure to draw must not change how the work ends. */
  function draw(written: string, text: string): void {
    shown = text;
    try {
      terminal.note(written);
    } catch {
      latest = undefined;
    }
  }

  function wipe(): void {
    if (shown !== '') draw('\r\u001b[K', '');
  }

  function makeRoom(text: string | Uint8Array): void {
    if (text.length === 0) return;
    wipe();
    due = Date.now() + quietMs;
    const last = text.at(-1);
    isLineStart = last === '\n' || last === 10;
  }

  return {
    onProgress(progress) {
      if (latest?.what !== progress.what) since = Date.now();
      latest = progress;
      timer ??= setInterval(show, intervalMs).unref(); // time goes on even where no progress is reported
      show();
    },
    end() {
      clearInterval(timer);
      [timer, latest] = [undefined, undefined];
      wipe();
      due = Date.now() + quietMs;
    },
    terminal: {
      columns: terminal.columns,
      isInteractive: terminal.isInteractive,
      get noteColumns() {
        return terminal.noteColumns;
      },
      get notesAreRead() {
        return terminal.notesAreRead;
      },
      get isAnswered() {
        return terminal.isAnswered;
      },
      write(text) {
        if (terminal.isInteractive) makeRoom(text);
        terminal.write(text);
      },
      note(text) {
        makeRoom(text);
        terminal.note(text);
      },
      style: (style, text) => terminal.style(style, text),
    },
  };
}

function textOf({ what, done, total, outputBytes }: Progress, ms: number): string {
  const amount = total === undefined ? `${done}` : `${done} of ${total}`;
  const parts = [
    ...(done === undefined ? [] : [amount]),
    ...(ms < 1000 ? [] : [durationInWords(Math.floor(ms / 1000) * 1000)]),
    ...(outputBytes ? [`${sizeInWords(outputBytes)} of output`] : []),
  ];
  return `${what}: ${parts.join(', ')}`;
}
