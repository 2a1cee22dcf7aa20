import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A command that a page shows, and what the page says it prints. */
export interface Example {
  /** Where it stands: `docs/running.md:40`. */
  readonly at: string;
  readonly command: string;
  /** Empty where the page shows the command alone. */
  readonly output: readonly string[];
}

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Every page with console blocks, by its path in the repository. */
export const pages: readonly string[] = [
  ...readdirSync(project).filter((name) => name.endsWith('.md')),
  ...readdirSync(`${project}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].filter((page) => examplesOf(page).length > 0);

export function examplesOf(page: string): readonly Example[] {
  const examples: { at: string; command: string; output: string[] }[] = [];
  let inBlock = false;
  for (const [index, line] of readFileSync(`${project}${page}`, 'utf8').split('\n').entries()) {
    if (line.startsWith('```')) inBlock = line === '```console';
    else if (inBlock && line.startsWith('$ ')) {
      examples.push({ at: `${page}:${index + 1}`, command: line.slice(2), output: [] });
    } else if (inBlock) examples.at(-1)?.output.push(line);
  }
  return examples.map(({ at, command, output }) => ({ at, command, output: withoutBlankEnd(output) }));
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(0, last + 1);
}

/** A pattern for what a page shows: an ellipsis stands for anything, alone on a line for any number of lines. */
export function patternOf(output: readonly string[]): RegExp {
  const lines = output.map((line) => (line === '…' ? '(?:.*\n)*?' : `${escaped(line).replaceAll('…', '.*')}\n`));
  return new RegExp(`^${lines.join('')}$`);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** What differs from run to run without meaning anything: times, and the widths of columns that hold them. */
export function withoutTimes(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
    .replace(/\b\d+ ms\b/g, 'N ms')
    .replace(/(?<=\S) {2,}/g, '  ')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replace(/[ \t]+$/gm, '');
}
