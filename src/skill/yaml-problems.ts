import { oneLine } from '../kernel/text.ts';
import { readYaml, type YamlProblem } from './yaml.ts';

/** Enough to work with; who corrects twenty runs the check again anyway. */
const limit = 20;

/** Once the parser has lost its way, it complains about every token that follows. */
const lost = /token in YAML stream/;
const topLevelKey = /^[A-Za-z_][\w .-]*?[ \t]*:(?:[ \t]|$)/;

/** What the parser calls it, and what an author understands. */
const plainer: Readonly<Record<string, string>> = {
  'Nested mappings are not allowed in compact mappings':
    'an unquoted value holds ": ", which YAML reads as a field of its own',
  'Tabs are not allowed as indentation': 'the line is indented by a tab, which YAML forbids',
};

/**
 * Every problem of a front matter that the parser refuses, one for each line. Where the parser lost its way, the
 * fields that follow are tried one by one, so that their own faults are told too and no others.
 */
export function allProblems(yaml: string, found: readonly YamlProblem[]): readonly YamlProblem[] {
  const lostAt = found.find((problem) => lost.test(problem.message))?.at.line;
  const real = found.filter((problem) => !lost.test(problem.message));
  const known = real.length === 0 ? found.slice(0, 1) : real;
  const further = lostAt === undefined ? [] : problemsAfter(Math.max(lostAt, known.at(-1)?.at.line ?? 0), yaml);
  const byLine = new Map<number, YamlProblem>();
  for (const problem of [...known, ...further]) {
    if (!byLine.has(problem.at.line))
      byLine.set(problem.at.line, { ...problem, message: inPlainWords(problem.message) });
  }
  return [...byLine.values()].slice(0, limit);
}

function problemsAfter(line: number, yaml: string): YamlProblem[] {
  const lines = yaml.split('\n');
  const starts = lines.flatMap((text, index) => (topLevelKey.test(text) ? [index] : []));
  const problems: YamlProblem[] = [];
  for (const [place, start] of starts.entries()) {
    if (problems.length >= limit) break;
    // The field in which the way was lost has been told already; the one it was noticed in may be sound.
    if (start + 1 < line) continue;
    const read = readYaml(lines.slice(start, starts[place + 1]).join('\n'));
    const own = read.kind === 'error' ? read.problems.find((problem) => !lost.test(problem.message)) : undefined;
    if (own !== undefined) problems.push({ ...own, at: { ...own.at, line: own.at.line + start } });
  }
  return problems;
}

function inPlainWords(message: string): string {
  const first = oneLine(message.split('\n')[0] ?? '').replace(/[.:]+$/, '');
  return plainer[first] ?? first;
}
