import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import type { World } from '../support/world.ts';
import { environmentOf, program, quoted } from './program.ts';

export interface Shown {
  /** Every byte that the terminal was sent, in order. */
  readonly sent: string;
  /** What stands on the screen in the end. */
  readonly left: string;
  readonly code: number | null;
}

export interface ScreenOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Where results go in place of the terminal. */
  readonly stdout?: string;
  /** What is typed once a text has been shown. */
  readonly typed?: { readonly after: string; readonly keys: string };
}

/** Runs the program in a terminal of its own, 80 characters wide. */
export function onScreen(world: World, args: readonly string[], options: ScreenOptions = {}): Promise<Shown> {
  const words = [process.execPath, program, ...args].map(quoted).join(' ');
  const command = `stty cols 80; ${words}${options.stdout === undefined ? '' : ` > ${quoted(options.stdout)}`}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: world.project,
    env: { ...environmentOf(world), TERM: 'xterm', SHELL: '/bin/bash', ...options.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let sent = '';
  let { typed } = options;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    sent += text;
    if (typed === undefined || !sent.includes(typed.after)) return;
    child.stdin.write(typed.keys);
    typed = undefined;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ sent, left: leftOf(sent), code }));
  });
}

/** What a terminal makes of carriage returns and of clearing the rest of a line. */
function leftOf(sent: string): string {
  const lines = sent.split('\n').map((line) => {
    let [text, at] = ['', 0];
    for (const [piece] of line.matchAll(/\r|\u001b\[K|[^\r\u001b]+|\u001b/g)) {
      if (piece === '\r') at = 0;
      else if (piece === '\u001b[K') text = text.slice(0, at);
      else {
        text = text.slice(0, at) + piece + text.slice(at + piece.length);
        at += piece.length;
      }
    }
    return text;
  });
  return lines.join('\n');
}
