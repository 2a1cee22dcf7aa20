import { quoteReported, quoteUnsound } from './repair.ts';
import { readYaml, type YamlEntry, type YamlProblem } from './yaml.ts';

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
