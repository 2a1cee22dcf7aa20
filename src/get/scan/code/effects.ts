import { credentialAt, looksLikePath, plainPath } from './places.ts';
import type { Language, Trace, Unit } from './unit.ts';
import { hole, isKnown, sourced, type Value } from './value.ts';

/** Effects that the readers of all languages have in common: what it means to read, send or run something. */

/** Reads a file: what was written to it before, or what is known of its place. */
export function fileRead(trace: Trace, unit: Unit, path: Value, line: number, by: string): Value {
  const plain = plainPath(path.text);
  const before = trace.written.get(plain);
  if (before !== undefined) return before;
  if (plain === '' || plain === '-' || !looksLikePath(plain)) return sourced('file', plain || hole);
  trace.add(unit, 'read', line, { target: path, payload: path.from, by });
  return sourced(credentialAt(plain) === null ? 'file' : 'credential', plain);
}

const secretName =
  /(?:^|_)(?:TOKEN|SECRET|SECRETS|KEY|APIKEY|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|MNEMONIC)(?:$|_)|PRIVATE_KEY|^AWS_(?:ACCESS|SESSION)/i;

/** A variable of the environment: its content is not known, its name tells whether it is a secret. */
export function variableNamed(name: string): Value {
  if (/^(?:\d+|[@*])$/.test(name)) return sourced('input', `$${name}`);
  return secretName.test(name) ? sourced('environment', name) : { text: hole, from: [] };
}

/** Has a text run as code: an act, and a piece of its own where the text is known. */
export function codeRun(trace: Trace, unit: Unit, code: Value, language: Language, line: number, by: string): void {
  trace.add(unit, 'run', line, { target: code, payload: code.from, by });
  if (isKnown(code) || code.text.replaceAll(hole, '').length > 8) trace.inside(unit, language, code, line);
}
