import { type Diagnostic, type DiagnosticCode, diagnostic } from '../../../core/diagnostics.ts';
import { isObject } from '../../../core/formats/documents.ts';
import { type KeyPath, placeOfKey } from '../../../core/formats/toml-lines.ts';
import type { Parsed, Problem } from '../../../core/schema/parsed.ts';
import { cut } from '../../../core/text/text.ts';

const most = 25;

/** Findings in one manifest, each at its line. Of very many, the first are kept. */
export class Findings {
  readonly list: Diagnostic[] = [];
  readonly #file: string;
  readonly #text: string;

  /**
   * Whether the manifest is one of another product, whose authors could not know what is refused here: variables are
   * filled in once they are granted, and what asks for everything is left out instead of being an error.
   */
  readonly isLenient: boolean;

  constructor(file: string, text: string, isLenient = false) {
    this.#file = file;
    this.#text = text;
    this.isLenient = isLenient;
  }

  /** Whether further findings would be dropped. */
  get isFull(): boolean {
    return this.list.length >= most;
  }

  add(code: DiagnosticCode, path: KeyPath, { message, remedy }: Pick<Problem, 'message' | 'remedy'>): void {
    if (this.isFull) return;
    const at = placeOfKey(this.#text, path) ?? undefined;
    this.list.push(diagnostic(code, this.#file, message, remedy, at));
  }
}

/** A value of a manifest, and where it stands. */
export interface Place {
  readonly value: unknown;
  readonly path: KeyPath;
  readonly findings: Findings;
}

/** The place of a value further in. */
export function within(place: Place, key: string | number): Place {
  const { value, path, findings } = place;
  const inner = Array.isArray(value)
    ? value[Number(key)]
    : isObject(value) && Object.hasOwn(value, key)
      ? value[key]
      : undefined;
  return { value: inner, path: [...path, key], findings };
}

/** Reports that a value cannot be used: nothing of the manifest will be. */
export function refuse(place: Place, problem: Pick<Problem, 'message' | 'remedy'>): undefined {
  place.findings.add('manifest-invalid', place.path, { ...problem, message: `${nameOf(place)}: ${problem.message}` });
  return undefined;
}

/** Reports that a value is understood and changes nothing. */
export function pass(place: Place, message: string, remedy: string): undefined {
  place.findings.add('manifest-ignored', place.path, { message: `${nameOf(place)} ${message}`, remedy });
  return undefined;
}

/** The value that was read; undefined where there is none, which is reported. */
export function taken<T>(place: Place, read: Parsed<T>): T | undefined {
  return read.ok ? read.value : refuse(place, read);
}

/** The name of a place, such as `tools.greet.command[2]`. */
export function nameOf({ path }: Place): string {
  const parts = path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`));
  return cut(parts.join(''), 200);
}
