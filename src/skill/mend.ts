import { quoteAllValues, repairYaml } from './repair.ts';
import { readYaml, type YamlEntry, type YamlProblem } from './yaml.ts';

/** A front matter that strict YAML refuses, made readable. */
export interface Mended {
  /** The text that is read instead, line for line. */
  readonly text: string;
  readonly entries: readonly YamlEntry[];
}

/** Quotes the lines that are refused and reads again; then, if that is not enough, every line that can be quoted. */
export function mendYaml(yaml: string, problems: readonly YamlProblem[]): Mended | null {
  const brokenLines = problems.map((problem) => problem.at.line);
  for (const attempt of [() => repairYaml(yaml, brokenLines), () => quoteAllValues(yaml)]) {
    const text = attempt();
    const again = text === null ? null : readYaml(text);
    if (text !== null && again?.kind === 'map') return { text, entries: again.entries };
  }
  return null;
}
