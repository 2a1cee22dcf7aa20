import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { progressLine } from './progress.ts';
import type { Terminal } from './terminal.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Screen {
  readonly terminal: Terminal;
  /** The text written since the last call. */
  readonly written: () => string;
}

function screen(given: Partial<Terminal> = {}): Screen {
  let text = '';
  const add = (more: string | Uint8Array): void => {
    text += Buffer.from(more as string).toString();
  };
  const terminal = { columns: 80, noteColumns: 80, isInteractive: true, notesAreRead: true, isAnswered: false };
  return {
    terminal: { ...terminal, write: add, note: add, style: (_, one) => one, ...given },
    written() {
      const all = text;
      text = '';
      return all;
    },
  };
}

const line = (text: string): string => `\r${text} …\u001b[K`;
const wiped = '\r\u001b[K';

it('the progress line is not shown for short work', () => {
  const { terminal, written } = screen();
  const { onProgress, end } = progressLine(terminal);
  onProgress({ what: 'Reading', done: 1, total: 9 });
  vi.advanceTimersByTime(950);
  onProgress({ what: 'Reading', done: 8, total: 9 });
  end();
  vi.advanceTimersByTime(5000);
  expect(written()).toBe('');
});

it('the progress line shows progress and duration, goes on without news, and disappears at the end', () => {
  const { terminal, written } = screen();
  const { onProgress, end } = progressLine(terminal);
  onProgress({ what: 'Reading', done: 1, total: 9 });
  vi.advanceTimersByTime(1000);
  expect(written()).toBe(line('Reading: 1 of 9, 1 s'));
  vi.advanceTimersByTime(2000);
  expect(written()).toBe(line('Reading: 1 of 9, 2 s') + line('Reading: 1 of 9, 3 s'));
  onProgress({ what: 'Counting', done: 20_000 });
  vi.advanceTimersByTime(200);
  expect(written()).toBe(line('Counting: 20000'));
  end();
  expect(written()).toBe(wiped);
  vi.advanceTimersByTime(5000);
  expect(written()).toBe('');
});

it('the progress line is redrawn a few times a second at most', () => {
  const { terminal, written } = screen();
  const { onProgress } = progressLine(terminal);
  vi.advanceTimersByTime(1000);
  for (let done = 0; done < 1000; done++) {
    onProgress({ what: 'Reading', done });
    vi.advanceTimersByTime(1);
  }
  expect(written().split('\r').length - 1).toBeLessThanOrEqual(6);
});

it.each([
  [{ what: 'Running' }, 65_000, 'Running: 1 min 5 s'],
  [{ what: 'Running', outputBytes: 0 }, 3000, 'Running: 3 s'],
  [{ what: 'Running', outputBytes: 9999 }, 200_000, 'Running: 3 min 20 s, 9.76 kB of output'],
  [{ what: 'Running', outputBytes: 1_234_567 }, 3000, 'Running: 3 s, 1.18 MB of output'],
  [{ what: 'Running', outputBytes: 34_567_890 }, 3000, 'Running: 3 s, 33 MB of output'],
])('the progress line in words: %j', (progress, ms, text) => {
  const { terminal, written } = screen();
  progressLine(terminal).onProgress(progress);
  vi.advanceTimersByTime(ms);
  expect(written()).toContain(line(text));
});

it('the progress line makes room for output, and comes back after a second without any', () => {
  const { terminal, written } = screen();
  const progress = progressLine(terminal);
  progress.onProgress({ what: 'Running' });
  vi.advanceTimersByTime(1000);
  written();
  progress.terminal.write('out\n');
  expect(written()).toBe(`${wiped}out\n`);
  for (let piece = 0; piece < 10; piece++) {
    vi.advanceTimersByTime(900);
    progress.onProgress({ what: 'Running', outputBytes: piece });
    progress.terminal.note(Buffer.from('err\n'));
  }
  expect(written()).toBe('err\n'.repeat(10));
  vi.advanceTimersByTime(1000);
  expect(written()).toBe(line('Running: 11 s, 9 bytes of output'));
});

it('the progress line does not overwrite an unfinished line of output', () => {
  const { terminal, written } = screen();
  const progress = progressLine(terminal);
  progress.onProgress({ what: 'Running' });
  progress.terminal.write('Continue? ');
  progress.terminal.write('');
  vi.advanceTimersByTime(5000);
  expect(written()).toBe('Continue? ');
  progress.terminal.write('\n');
  vi.advanceTimersByTime(1000);
  expect(written()).toBe(`\n${line('Running: 6 s')}`);
});

it('the progress line stays when results go elsewhere', () => {
  const { terminal, written } = screen({ isInteractive: false });
  const progress = progressLine(terminal);
  progress.onProgress({ what: 'Running' });
  progress.terminal.write('half a line');
  vi.advanceTimersByTime(1000);
  expect(written()).toBe(`half a line${line('Running: 1 s')}`);
});

it('the progress line is not written where stderr is not a terminal', () => {
  const { terminal, written } = screen({ notesAreRead: false });
  const progress = progressLine(terminal);
  progress.onProgress({ what: 'Running' });
  vi.advanceTimersByTime(60_000);
  progress.terminal.note('note\n');
  vi.advanceTimersByTime(60_000);
  progress.end();
  expect(written()).toBe('note\n');
});

it('the progress line fits into the window', () => {
  const { terminal, written } = screen({ noteColumns: 20 });
  progressLine(terminal).onProgress({ what: 'Reading the files of the skill', done: 1 });
  vi.advanceTimersByTime(1000);
  expect(written()).toBe(line('Reading the files'));
});

it('a progress line that cannot be written does not change how the work ends', () => {
  const note = (): void => {
    throw new Error('EIO');
  };
  const { onProgress, end } = progressLine(screen({ note }).terminal);
  onProgress({ what: 'Running' });
  vi.advanceTimersByTime(5000);
  end();
});
