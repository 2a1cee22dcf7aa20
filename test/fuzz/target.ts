import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diagnostic } from '../../src/core/diagnostics.ts';
import { type Environment, hostEnvironment } from '../../src/core/environment.ts';
import type { Shape } from './tree.ts';

/** A reader of strangers' bytes, to be given any. */
export interface Target {
  /** Words that mean something to it. */
  readonly words: readonly string[];
  /** How its inputs are written, where a change of bytes alone would rarely be read to the end. */
  readonly shape?: Shape;
  /** How many inputs keep a processor busy for about a minute: a number, so that CI tries the same ones on every machine. */
  readonly inputs: number;
  /** Whether the same input comes out the same every time. Only then may what comes out decide which inputs follow. */
  readonly isSteady: boolean;
  open(): Promise<Opened>;
}

/** Processor time and the most memory, which are the same however busy the machine is. */
export interface Usage {
  readonly busyMs: number;
  readonly peakMiB: number;
}

export interface Opened {
  /** Throws where something that must hold does not; returns what came of the input, in short. */
  check(input: Buffer): Promise<string>;
  /** What a process that does the reading has used so far; where there is none, this one does. */
  usage?(): Usage;
  close(): Promise<void> | void;
}

/** A target that works on files below a folder of its own. */
export function inFolder(
  check: (input: Buffer, environment: Environment) => Promise<string>,
  prepare: (environment: Environment) => void = () => {},
): Target['open'] {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'repertoire-fuzz-'));
    const environment = hostEnvironment({
      cwd: folder,
      home: join(folder, 'home'),
      env: {},
      systemDir: join(folder, 'etc'),
    });
    prepare(environment);
    return {
      check: (input) => check(input, environment),
      close: () => rmSync(folder, { recursive: true, force: true }),
    };
  };
}

/** Every diagnostic says what, where and what to do; and the line is one of the file. */
export function assertSound(diagnostics: readonly Diagnostic[], input: Buffer): void {
  const lines = input.toString('utf8').split(/\r\n?|\n/).length;
  for (const { code, file, message, remedy, line, column } of diagnostics) {
    assert.notEqual(file.trim(), '', `${code} names no file`);
    assert.notEqual(message.trim(), '', `${code} says nothing`);
    assert.notEqual(remedy.trim(), '', `${code} has no remedy`);
    if (line !== null) assert.ok(line >= 1 && line <= lines + 1, `${code} is at line ${line} of ${lines}`);
    if (column !== null) assert.ok(column >= 1, `${code} is at column ${column}`);
  }
}

/** What was said, without what differs from input to input, or from one version of Node to another: its words on JSON. */
export function outcomeOf(diagnostics: readonly Diagnostic[]): string {
  const shapes = diagnostics.map(
    ({ code, message }) => `${code} ${message.replace(/"[^"]*"|\d+|(?<=not valid JSON )\(.*\)/gs, '').slice(0, 40)}`,
  );
  return [...new Set(shapes)].sort().join('|');
}
