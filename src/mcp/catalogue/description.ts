import { type Form, fitted } from './fit.ts';
import { escapeXml } from './text.ts';
import type { CatalogueEntry } from './types.ts';
import { jsonBytes, onTheWire } from './weight.ts';
import { discoveryNotes, usage, wayToTheRest } from './words.ts';

export interface DescriptionOptions {
  /** The bytes that the whole description may take as a JSON string; 0 sets no limit. */
  readonly budget: number;
  /** The listed name of a tool that searches skills, where there is one. */
  readonly searchWith: string | null;
}

/** What the skill tool says of itself: how to use it, and every skill, as fully as the budget lets it. */
export function describeSkillTool(
  entries: readonly CatalogueEntry[],
  { budget, searchWith }: DescriptionOptions,
): string {
  if (entries.length === 0) return assemble('', '<none>no skill has been found so far</none>\n');
  return fitted(entries, {
    ...xml,
    limit: budget === 0 ? Number.POSITIVE_INFINITY : budget - quotes,
    pointer: wayToTheRest(searchWith),
  });
}

/** Those around the JSON string. */
const quotes = 2;

const xml: Omit<Form, 'limit' | 'pointer'> = {
  measure: jsonBytes,
  weigh: onTheWire,
  // Twenty letters and the sign of the cut.
  leastDescription: 23,
  entry: (name, description, location) =>
    `<skill>\n<name>${escapeXml(name)}</name>\n<description>${escapeXml(description)}</description>\n<location>${location}</location>\n</skill>\n`,
  name: (name) => `<name>${escapeXml(name)}</name>\n`,
  rest: (number) => `<more>and ${number} more, not shown here</more>\n`,
  assemble,
};

/** The list stands before the notes: where a client cuts, losing notes costs less than losing skills. */
function assemble(notice: string, list: string): string {
  const told = notice === '' ? '' : `${notice}\n\n`;
  return `${usage}\n\n${told}<available_skills>\n${list}</available_skills>\n\n${discoveryNotes}`;
}
