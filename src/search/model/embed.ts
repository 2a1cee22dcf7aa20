import type { Table } from './table.ts';

/** The parts of a skill that are embedded. */
export interface EmbeddedParts {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** Names and descriptions of its tools, if it has any. */
  readonly tools?: string;
}

/** Weight of each part in the embedding of a skill. */
const shares = { name: 0.5, description: 1, body: 1, tools: 0.5 } as const;
const bodyWords = 400;
/**
 * Code units of a body that are read: more than that number of words can take, even long ones, and a body of megabytes
 * is not gone through for its first page.
 */
const bodyUnits = 64 * 1024;

/** Embeds a text as a vector of length 1; all zeros if none of it means anything. */
export function embedText(table: Table, text: string): Float32Array {
  return normalised(table.sumOfText(text));
}

/** Embeds a whole skill. */
export function embedSkill(table: Table, { name, description, body, tools = '' }: EmbeddedParts): Float32Array {
  const parts = { name: spokenName(name), description, body: proseOf(body), tools: spokenName(tools) };
  const sum = new Float32Array(table.dimensions);
  for (const part of Object.keys(shares) as (keyof typeof shares)[]) {
    const vector = embedText(table, parts[part]);
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + shares[part] * (vector[at] as number);
  }
  return normalised(sum);
}

/** Replaces what joins the words of a name by blanks, as one would say it. */
export function spokenName(name: string): string {
  return name.replace(/[-_:]/g, ' ');
}

/** The first words of a body, without code and addresses. */
export function proseOf(body: string): string {
  const text = body.slice(0, bodyUnits);
  const lines: string[] = [];
  let fence = '';
  let [left, from] = [bodyWords, 0];
  while (left > 0 && from < text.length) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end);
    from += line.length + 1;
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = '';
    } else if (mark !== '') {
      fence = mark;
    } else {
      const { words, end: last } = firstWords(plainLine(line), left);
      lines.push(last);
      left -= words;
    }
  }
  return lines.join('\n');
}

const blank = /\s/u;

/** The beginning of a line, of at most this number of words. */
function firstWords(line: string, most: number): { readonly words: number; readonly end: string } {
  let words = 0;
  let isInWord = false;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    const isBlank = code === 0x20 || (code >= 9 && code <= 13) || (code >= 0x80 && blank.test(line[at] as string));
    if (isBlank && words === most) return { words, end: line.slice(0, at) };
    if (!isBlank && !isInWord) words++;
    isInWord = !isBlank;
  }
  return { words, end: line };
}

function plainLine(line: string): string {
  if (!line.includes('](') && !line.includes('http')) return line;
  return line.replace(/\]\([^()\s]*\)/g, '] ').replace(/\bhttps?:\/\/[^\s)>\]]+/g, ' ');
}

/** Scales a vector to length 1. */
export function normalised(vector: Float32Array): Float32Array {
  const length = lengthOf(vector);
  if (length === 0) return vector;
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) / length;
  return vector;
}

function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2;
  return Math.sqrt(squares);
}
