import { displayPath } from '../../../../core/disk/paths.ts';
import type { Environment } from '../../../../core/environment.ts';
import { oneLine, printable } from '../../../../core/text/text.ts';
import type { Style, Terminal } from '../../terminal/terminal.ts';

export interface Layout {
  readonly terminal: Terminal;
  readonly environment: Environment;
}

export function diffOf(diff: string | null, layout: Layout): string[] {
  if (diff === null) return [];
  const lines = printable(diff).trimEnd().split('\n');
  return lines.map((line) => coloured(line, layout));
}

const lineStyles: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red', '@': 'cyan' };

function coloured(line: string, { terminal }: Layout): string {
  const style = lineStyles[line[0] ?? ''];
  return style === undefined ? line : terminal.style(style, line);
}

/** Indents a snippet to copy, so that it stands out from the text around it. */
export function pasted(snippet: string): string[] {
  const lines = printable(snippet).trimEnd().split('\n');
  return lines.map((line) => `    ${line}`);
}

export function show(path: string, { environment }: Layout): string {
  return oneLine(displayPath(path, environment));
}
