import { readYaml, type YamlEntry, type YamlProblem } from './yaml.ts';

/**
 * Front matter that strict YAML refuses is, nearly always, one line of plain text that happens to hold `: `, a quote, a
 * bracket or another sign of YAML's own. Such a value is quoted as it stands and the text read again: the author gets
 * what the author wrote. Structure is never guessed at, and what is sound stays as it is.
 */

interface Block {
  readonly line: number;
  readonly lines: readonly string[];
}

const keyLine = /^([A-Za-z_](?:[\w .-]*[\w.-])?)[ \t]*:(?:[ \t]+(.*))?$/;
const blockScalar = /^[|>][-+0-9]*[ \t]*(?:#.*)?$/;
const nestedLine = /^([ \t]+(?:-[ \t]+)?(?:[\w.-]+:[ \t]+)?)(\S.*)$/;

/** The text with the values quoted in which the parser reported an error; null when there is nothing to quote. */
function quoteReported(text: string, brokenLines: readonly number[]): string | null {
  return quoteBlocks(text, ({ line, lines }) => brokenLines.some((one) => one >= line && one < line + lines.length));
}

/** The text with every value quoted that is refused on its own: errors are often reported where the parser gave up. */
function quoteUnsound(text: string): string | null {
  return quoteBlocks(text, ({ lines }) => isRefused(lines.join('\n')));
}

/**
 * Lines up to which a text is mended: each may have to be read on its own, and a longer text is not an author's slip.
 */
const mostLines = 500;

function quoteBlocks(text: string, isBroken: (block: Block) => boolean): string | null {
  const lines = text.split('\n');
  if (lines.length > mostLines) return null;
  const blocks = topLevelBlocks(withoutTabs(lines));
  const repaired = blocks.flatMap((block) => (isBroken(block) ? quoteBlock(block.lines) : block.lines)).join('\n');
  return repaired === text ? null : repaired;
}

function isRefused(text: string): boolean {
  return readYaml(text, 1).kind === 'error';
}

/**
 * Replaces tabs, which YAML forbids as indent. Below a key without a value they mean one step; before any other key,
 * nothing.
 */
function withoutTabs(lines: readonly string[]): string[] {
  let isBelowKey = false;
  return lines.map((line) => {
    const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
    const rest = line.slice(indent.length);
    if (indent === '' && rest !== '') isBelowKey = rest.trimEnd().endsWith(':');
    if (!indent.includes('\t')) return line;
    return isBelowKey || indent !== '\t' || !keyLine.test(rest) ? indent.replaceAll('\t', '  ') + rest : rest;
  });
}

function topLevelBlocks(lines: readonly string[]): Block[] {
  const blocks: { line: number; lines: string[] }[] = [];
  lines.forEach((text, index) => {
    const last = blocks.at(-1);
    if (last === undefined || keyLine.test(text)) blocks.push({ line: index + 1, lines: [text] });
    else last.lines.push(text);
  });
  return blocks;
}

function quoteBlock(lines: readonly string[]): readonly string[] {
  const [, key, first = ''] = keyLine.exec(lines[0] ?? '') ?? [];
  if (key === undefined || blockScalar.test(first)) return lines;
  const rest = lines.slice(1);
  const below = rest.find((line) => line.trim() !== '');
  const isPlainText = first.trim() !== '' || (below !== undefined && /^[ \t]+[^\s#:-][^:]*$/.test(below));
  return isPlainText ? [`${key}: ${quoted([first, ...rest])}`, ...rest.map(() => '')] : lines.map(quoteNested);
}

/** Joins a value that runs over several lines; blank lines in its place keep the numbers of all that follow. */
function quoted(lines: readonly string[]): string {
  const texts = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  return JSON.stringify(stripQuotes(texts.join(' ')));
}

/** Quotes a line of a map or list within a field, if it is refused on its own. */
function quoteNested(line: string): string {
  const [, start, value] = nestedLine.exec(line) ?? [];
  if (start === undefined || value === undefined || !isRefused(`key:\n${line}`)) return line;
  return start + JSON.stringify(stripQuotes(value.trim()));
}

/**
 * Strips the sign of a block of text, and quotes that were opened and closed or never closed: they are not part of what
 * was meant.
 */
function stripQuotes(written: string): string {
  const value = written.replace(/^[|>][-+0-9]*[ \t]+(?=\S)/, '');
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return value;
  if (value.length > 1 && value.endsWith(quote)) return value.slice(1, -1);
  return value.indexOf(quote, 1) === -1 ? value.slice(1) : value;
}

/** A front matter that strict YAML refuses, made readable. */
export interface Mended {
  /** The text that is read instead, line for line. */
  readonly text: string;
  readonly entries: readonly YamlEntry[];
}

/** Quotes where errors were reported and reads again; then, if that is not enough, whatever is refused on its own. */
export function mendYaml(yaml: string, problems: readonly YamlProblem[]): Mended | null {
  const brokenLines = problems.map((problem) => problem.at.line);
  for (const attempt of [() => quoteReported(yaml, brokenLines), () => quoteUnsound(yaml)]) {
    const text = attempt();
    const again = text === null ? null : readYaml(text);
    if (text !== null && again?.kind === 'map') return { text, entries: again.entries };
  }
  return null;
}
