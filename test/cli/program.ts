import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { World } from '../support/world.ts';

/** The program that is shipped, for tests that must start it in another way than `World.run` does. */
export const program = fileURLToPath(new URL('../../dist/cli/bin.cjs', import.meta.url));

/** The variables that make a world's home the user's. */
export function environmentOf(world: World): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: world.home, XDG_CACHE_HOME: world.path('cache') };
}

/** What the program prints, byte for byte. */
export function bytesOf(world: World, args: readonly string[]): Promise<Buffer> {
  const options = { cwd: world.project, env: environmentOf(world), encoding: 'buffer', maxBuffer: 2 ** 28 } as const;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...args], options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(error);
    });
  });
}

/** One word of a shell command, whatever it holds. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Runs a shell script; `$REPERTOIRE` stands for the program. */
export function shell(
  world: World,
  script: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ stdout: string; stderr: string; code: number | null }> {
  const command = `REPERTOIRE=${quoted(`${process.execPath} ${program}`)}\n${script}`;
  const child = spawn('bash', ['--norc', '--noprofile', '-c', command], {
    cwd: world.project,
    env: { ...environmentOf(world), ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ stdout, stderr, code }));
  });
}

/** What a person sees who runs the program in a terminal of their own. */
export async function onTerminal(world: World, args: readonly string[], columns = 80): Promise<string> {
  const command = `stty cols ${columns}; ${[process.execPath, program, ...args].map(quoted).join(' ')}`;
  const env = { TERM: 'xterm', SHELL: '/bin/bash' };
  const { stdout } = await shell(world, `script -qec ${quoted(command)} /dev/null </dev/null`, env);
  return stdout;
}

/** Types lines into an interactive bash, each when the one before is done. Returns all that was on the screen. */
export function typeIntoBash(
  world: World,
  lines: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const prompt = 'READY>';
  const command = `PS1=${quoted(prompt)} exec bash --norc --noprofile -i`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: world.project,
    env: { ...env, TERM: 'dumb', SHELL: '/bin/bash', INPUTRC: '/dev/null' },
  });
  onTestFinished(() => void child.kill());
  const rest = [...lines];
  let [screen, seen] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    for (; screen.split(prompt).length - 1 > seen && rest.length > 0; seen++) child.stdin.write(rest.shift());
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', () => resolve(screen.replaceAll('\r', '').replaceAll(prompt, '')));
  });
}

/** Controls, overrides of direction and the like: what a stranger's text must never bring to a terminal. */
export const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
