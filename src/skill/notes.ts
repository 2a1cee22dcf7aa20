import { type Diagnostic, type DiagnosticCode, diagnostic, type Position } from '../kernel/diagnostics.ts';
import type { ParseResult } from './types.ts';

/** Collects the diagnostics of one file while it is read. */
export class Notes {
  readonly list: Diagnostic[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  add(code: DiagnosticCode, message: string, remedy: string, at?: Position): void {
    this.list.push(diagnostic(code, this.#file, message, remedy, at));
  }

  /** No skill, and why. */
  none(): ParseResult {
    return { skill: null, diagnostics: this.list };
  }
}
