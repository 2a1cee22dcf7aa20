import type { Position } from '../../kernel/diagnostics.ts';
import { readYaml, type YamlProblem } from '../yaml.ts';
import { inPlainWords } from '../yaml-words.ts';

/** Enough to work with; who corrects twenty runs the check again anyway. */
const limit = 20;

/** How many characters are parsed again to find more: of a long text that is wrong everywhere, not all twenty are worth it. */
const mostParsedAgain = 65_536;

/** Once the parser has lost its way, it complains about every token that follows. */
const lost = /token in YAML stream/;
const topLevelKey = /^[A-Za-z_](?:[\w .-]*[\w.-])?[ \t]*:(?:[ \t]|$)/;

/**
 * Every problem of a front matter that the parser refuses, one for each line. Where the parser lost its way, it is set
 * on the next field, so that the faults of the fields that follow are told too, and no others.
 */
export function allProblems(yaml: string, first: readonly YamlProblem[]): readonly YamlProblem[] {
  const lines = yaml.split('\n');
  const byLine = new Map<number, YamlProblem>();
  let start = 0;
  let left = mostParsedAgain;
  for (let found = first; found.length > 0 && byLine.size < limit; ) {
    const real = found.filter((problem) => !lost.test(problem.message));
    for (const { message, at } of real.length === 0 ? found.slice(0, 1) : real) {
      const noticed = { line: at.line + start, column: at.column };
      const place = /^Missing closing .quote/.test(message) ? openingQuote(noticed, lines) : noticed;
      if (!byLine.has(place.line)) byLine.set(place.line, { message: inPlainWords(message), at: place });
    }
    const lostAt = found.find((problem) => lost.test(problem.message))?.at.line ?? lines.length;
    start = nextField(start + lostAt, lines);
    const rest = lines.slice(start).join('\n');
    found = problemsIn(rest, left);
    left -= rest.length;
  }
  return [...byLine.values()].slice(0, limit);
}

/** The parser notices at the end of the text that a quote is open; an author wants to know which. */
function openingQuote(at: Position, lines: readonly string[]): Position {
  for (let line = at.line; line > 0; line--) {
    const start = /^[^:]*:[ \t]+(?=["'])/.exec(lines[line - 1] ?? '')?.[0].length;
    if (start !== undefined) return { line, column: start + 1 };
  }
  return at;
}

/** The index of the first line from there on that starts a field. */
function nextField(from: number, lines: readonly string[]): number {
  const found = lines.findIndex((line, index) => index >= from && topLevelKey.test(line));
  return found === -1 ? lines.length : found;
}

function problemsIn(yaml: string, most: number): readonly YamlProblem[] {
  if (yaml.length > most) return [];
  const read = readYaml(yaml);
  return read.kind === 'error' ? read.problems : [];
}
