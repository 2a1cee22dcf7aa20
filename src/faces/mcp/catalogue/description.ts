import { type Fitted, type Form, fitted } from './fit.ts';
import { type CatalogueEntry, escapeXml, inEscapedCharacters, jsonBytes, onTheWire } from './weight.ts';
import { discoveryNotes, usage, wayToTheRest } from './words.ts';

export interface DescriptionOptions {
  /** The name of the server. */
  readonly server: string;
  /** The length that the list of skills may have; 0 sets no limit. */
  readonly budget: number;
  /** Whether the budget counts the characters of the list, or the bytes that it takes inside a JSON string. */
  readonly unit: keyof typeof units;
  /** The listed name of a tool that searches skills, where there is one. */
  readonly searchWith: string | null;
}

/** Writes the description of the skill tool: how to use it, and every skill, as fully as the budget allows. */
export function describeSkillTool(entries: readonly CatalogueEntry[] | null, options: DescriptionOptions): string {
  const pointer = wayToTheRest(options.searchWith, 'this tool');
  if (entries === null) {
    const notice = `The skills are still being read, and may be used already. ${pointer}`;
    return assemble({ notice, list: '', isComplete: false }, options);
  }
  if (entries.length === 0) return assemble({ notice: '', list: none, isComplete: true }, options);
  const room = options.budget === 0 ? Number.POSITIVE_INFINITY : options.budget;
  const { notice, list, isComplete } = fitted(entries, { ...xml, ...units[options.unit], room: () => room, pointer });
  if (!isComplete || list.length <= surelyShown) return assemble({ notice, list, isComplete }, options);
  // Some clients pass on the first characters alone, and their models should know that something is missing.
  const number = `The list holds ${entries.length} skills; if you see fewer, your client has cut it.`;
  return assemble({ notice: `${number} ${notice === '' ? pointer : notice}`, list, isComplete: false }, options);
}

/** Characters of a list that, with the text before it, fits within what every client shows. */
const surelyShown = 800;

const units = {
  characters: { measure: (text) => text.length, weigh: inEscapedCharacters },
  bytes: { measure: jsonBytes, weigh: onTheWire },
} as const satisfies Readonly<Record<string, Pick<Form, 'measure' | 'weigh'>>>;

const xml: Omit<Form, 'room' | 'pointer' | 'measure' | 'weigh'> = {
  // Twenty letters and the ellipsis.
  leastDescription: 23,
  entry: (name, description, location) =>
    `<skill>\n<name>${escapeXml(name)}</name>\n<description>${escapeXml(description)}</description>\n<location>${location}</location>\n</skill>\n`,
  name: (name) => `<name>${escapeXml(name)}</name>\n`,
  rest: (number) => `<more>and ${number} more, not shown here</more>\n`,
};

/** The list where there is no skill to offer: filters, or the authors, may keep some from models. */
const none = xml.entry('none', 'This server offers no skills at present, so there is nothing to load', 'global');

/**
 * Joins the parts. The list stands before the notes: where a client cuts, losing notes costs less than losing skills.
 */
function assemble({ notice, list, isComplete }: Fitted, { server }: DescriptionOptions): string {
  const lead = notice === '' ? '' : `${notice}\n\n`;
  return `${usage(isComplete)}\n\n${lead}<available_skills>\n${list}</available_skills>\n\n${discoveryNotes(server)}`;
}
