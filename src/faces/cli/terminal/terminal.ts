import { fstatSync, statSync, writeSync } from 'node:fs';
import type { Environment } from '../../../core/environment.ts';
import { SkillError } from '../../../core/errors.ts';

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan' | 'blue';

/** The output of a command: results to stdout, notes to stderr. */
export interface Terminal {
  /** Characters per line of the output. */
  readonly columns: number;
  readonly isInteractive: boolean;
  /** Characters per line where notes go, if that is a terminal. */
  readonly noteColumns: number;
  /** Whether notes go to a terminal, where a person may be waiting. */
  readonly notesAreRead: boolean;
  /** Whether a person is there to answer a question. */
  readonly isAnswered: boolean;
  write(text: string | Uint8Array): void;
  note(text: string | Uint8Array): void;
  style(style: Style, text: string): string;
}

const codes: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
  cyan: [36, 39],
  blue: [34, 39],
};

/** Columns of the longest line, however wide the window: longer ones are hard to read. */
const widest = 120;

/** The terminal of this process; with colours, without them, or as the variables and the output have it. */
export function processTerminal(env: Environment['env'], wantsColor: boolean | undefined): Terminal {
  const isInteractive = isTerminal(1);
  const given = Number(env['COLUMNS']);
  const width = isInteractive ? process.stdout.columns : given > 0 ? given : 100;
  const color =
    wantsColor ??
    (!env['NO_COLOR'] && (env['FORCE_COLOR'] ? env['FORCE_COLOR'] !== '0' : isInteractive && env['TERM'] !== 'dumb'));
  return {
    columns: Math.max(20, Math.min(width || 80, widest)),
    isInteractive,
    get noteColumns() {
      return process.stderr.columns || 80;
    },
    get notesAreRead() {
      return isTerminal(2) && env['TERM'] !== 'dumb';
    },
    get isAnswered() {
      return isTerminal(0) && isTerminal(2);
    },
    write: (text) => writeAll(1, text),
    note: (text) => writeAll(2, text),
    style: (style, text) => (color ? `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m` : text),
  };
}

/**
 * Whether a descriptor is a terminal. Using `process.stdout`, or loading `tty`, sets up whole streams, a fifth of a
 * bare start. The type of the descriptor settles most cases for nothing: a file, a pipe, or the null device.
 */
function isTerminal(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isCharacterDevice() || stats.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev)
      return false;
    return process.getBuiltinModule('node:tty').isatty(descriptor);
  } catch {
    return false; // A closed descriptor is not a terminal.
  }
}

/** Thrown when the reader has gone away, as in `repertoire list | head`: nothing more is wanted. */
export class ReaderGone extends Error {}

function writeAll(descriptor: number, text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Notes that cannot be written change nothing; a result that cannot be, as with `1</dev/null`, is an error.
      if (code === 'EPIPE' || (code === 'EBADF' && descriptor !== 1))
        throw new ReaderGone('the reader of the output is gone');
      if (code !== 'EAGAIN')
        throw new SkillError('unwritable', `the result cannot be written (${code})`, { cause: error });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5); // the pipe is full: let the reader catch up
    }
  }
}
