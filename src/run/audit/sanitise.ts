import { sha256 } from '../../core/hash.ts';
import { looksSecret, redacted, withoutSecretLooks } from '../../core/text/secret-names.ts';
import { createTextRedactor } from './redact.ts';

const limits = {
  /** Characters kept of one text, and of all together. */
  text: 500,
  texts: 16_000,
  depth: 8,
  /** Parts of one list or object, and of all together. */
  parts: 100,
  values: 1000,
};

/** The parameters of an execution as they may be written down: without secrets, and no longer than need be. */
export function sanitise(parameters: unknown, secrets: readonly string[]): unknown {
  const redact = createTextRedactor(secrets);
  let [values, texts] = [limits.values, limits.texts];

  function clean(value: unknown, depth: number): unknown {
    if (--values < 0) return '…';
    if (typeof value === 'object' && value !== null) return cleanParts(value, depth);
    const text = typeof value === 'string' ? value : String(value);
    if (typeof value === 'string' || typeof value === 'bigint') return cleanText(text);
    if (typeof value === 'function' || typeof value === 'symbol' || value === undefined) return null;
    return redact(text) === text ? value : redacted; // numbers may be secrets too
  }

  function cleanParts(value: object, depth: number): unknown {
    if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`;
    if (depth >= limits.depth) return '…';
    return Array.isArray(value) ? cleanList(value, depth) : cleanObject(value, depth);
  }

  function cleanText(text: string): string {
    if (texts <= 0 && text !== '') return '…';
    const safe = withoutSecretLooks(redact(text), redacted);
    const room = Math.min(limits.text, texts);
    texts -= Math.min(safe.length, room);
    if (safe.length <= room) return safe;
    // Enough is kept of what was left out to tell whether two texts were the same.
    return `${safe.slice(0, room).replace(/[\ud800-\udbff]$/, '')}… (${safe.length} characters, sha256 ${sha256(safe)})`;
  }

  function cleanList(list: readonly unknown[], depth: number): unknown[] {
    const kept = list.slice(0, limits.parts).map((item, place) => {
      const before = list[place - 1];
      const isValue = typeof before === 'string' && isSecretFlag(before) && typeof item === 'string';
      return isValue ? redacted : clean(item, depth + 1);
    });
    return list.length > kept.length ? [...kept, `… ${list.length - kept.length} more`] : kept;
  }

  function cleanObject(object: object, depth: number): Record<string, unknown> {
    const entries = Object.entries(object);
    const kept = entries
      .slice(0, limits.parts)
      .map(([name, value]) => [
        cleanText(name),
        looksSecret(name) && mayBeSecret(value) ? redacted : clean(value, depth + 1),
      ]);
    if (entries.length > kept.length) kept.push(['…', `${entries.length - kept.length} more`]);
    return Object.fromEntries(kept);
  }

  return clean(parameters, 0);
}

/** Whether a value may be a secret: absent or empty values and booleans give nothing away. */
function mayBeSecret(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== 'boolean' && value !== '';
}

/** Whether a text is an option such as `--password`, whose value is the next argument. */
function isSecretFlag(text: string): boolean {
  return /^--?[A-Za-z][\w-]*$/.test(text) && looksSecret(text);
}
