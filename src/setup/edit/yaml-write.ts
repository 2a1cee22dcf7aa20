import { writeJson } from './json-write.ts';
import type { Json } from './types.ts';
import { isMap } from './values.ts';

export interface YamlLayout {
  /** Of the line that the key stands on. */
  readonly indent: string;
  readonly unit: string;
  readonly newline: string;
}

/** Text that no reader of YAML, however old, takes for anything else. */
const safe = /^[A-Za-z_/][\w/.@+-]*$/;
const taken = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** `key: value` over as many lines as it takes; the first one without its indentation. */
export function writePair(key: string, value: Json, layout: YamlLayout, beforeColon = ''): string {
  const head = `${writeScalar(key)}${beforeColon}:`;
  const inner = { ...layout, indent: layout.indent + layout.unit };
  const lines = isMap(value)
    ? Object.entries(value).map(([name, item]) => writePair(name, item, inner))
    : Array.isArray(value)
      ? (value as readonly Json[]).map((item) => `- ${writeFlow(item)}`)
      : [];
  if (lines.length === 0) return `${head} ${writeFlow(value)}`;
  return head + lines.map((line) => layout.newline + inner.indent + line).join('');
}

/** A value on one line. YAML reads JSON. */
export function writeFlow(value: Json): string {
  return typeof value === 'string' ? writeScalar(value) : writeJson(value, { indent: null, unit: '', newline: '' });
}

function writeScalar(text: string): string {
  return safe.test(text) && !taken.test(text) ? text : JSON.stringify(text);
}
