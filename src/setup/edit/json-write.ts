import type { Json } from './types.ts';
import { isMap } from './values.ts';

export interface Layout {
  /** Of the line that the value begins on; null where all of it stays on one line. */
  readonly indent: string | null;
  readonly unit: string;
  readonly newline: string;
}

/** A list of plain values this short is easier to read on one line. */
const lineLimit = 100;

export function writeJson(value: Json, layout: Layout): string {
  if (isMap(value)) return items('{}', Object.entries(value).map(pair), layout, ' ');
  if (!Array.isArray(value)) return JSON.stringify(value);
  const list = value as readonly Json[];
  const line = `[${list.map((item) => writeJson(item, { ...layout, indent: null })).join(', ')}]`;
  const isPlain = list.every((item) => typeof item !== 'object' || item === null);
  if (isPlain && line.length <= lineLimit) return line;
  return items(
    '[]',
    list.map((item) => (inner) => writeJson(item, inner)),
    layout,
    '',
  );
}

function pair([key, value]: [string, Json]): (layout: Layout) => string {
  return (layout) => `${JSON.stringify(key)}: ${writeJson(value, layout)}`;
}

function items(
  brackets: string,
  writers: readonly ((layout: Layout) => string)[],
  layout: Layout,
  inside: string,
): string {
  const { indent, unit, newline } = layout;
  if (writers.length === 0) return brackets;
  const inner = indent === null ? layout : { ...layout, indent: indent + unit };
  const written = writers.map((write) => write(inner));
  const [open, close] = brackets;
  if (indent === null) return open + inside + written.join(', ') + inside + close;
  const lead = newline + indent + unit;
  return open + lead + written.join(`,${lead}`) + newline + indent + close;
}
