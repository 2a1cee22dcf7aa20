import type { ListedTool, StdioServer } from '../support/mcp.ts';

/** A skill as the description of the tool lists it; in a shortened list perhaps by its name alone. */
interface Entry {
  readonly name: string;
  readonly description?: string;
  readonly location?: string;
}

export interface Catalogue {
  readonly entries: readonly Entry[];
  readonly names: readonly string[];
  /** How many skills the list says that it leaves out. */
  readonly missing: number;
}

const element =
  /<skill>\n<name>([^<>\n]*)<\/name>\n<description>([^<>\n]*)<\/description>\n<location>([^<>\n]*)<\/location>\n<\/skill>\n|<name>([^<>\n]*)<\/name>\n|<more>and (\d+) more, not shown here<\/more>\n/y;

/** Reads the block of skills as strictly as it is laid down: whatever does not belong there is an error. */
export function readCatalogue(description: string): Catalogue {
  const block = blockIn(description);
  const entries: Entry[] = [];
  let [at, missing] = [0, 0];
  while (at < block.length) {
    element.lastIndex = at;
    const match = element.exec(block);
    if (match === null) throw new Error(`not an entry: ${block.slice(at, at + 200)}`);
    const [whole, name, text, location, alone, more] = match;
    if (more !== undefined) missing += Number(more);
    else if (alone !== undefined) entries.push({ name: unescaped(alone) });
    else entries.push({ name: unescaped(name), description: unescaped(text), location: unescaped(location) });
    at += whole.length;
  }
  return { entries, names: entries.map((entry) => entry.name), missing };
}

/** What stands between the two lines that open and close the block, each of which is there once. */
export function blockIn(description: string): string {
  const parts = description.split(/^<\/?available_skills>\n/m);
  if (parts.length !== 3) throw new Error(`${parts.length - 1} lines open or close the block:\n${description}`);
  return parts[1] ?? '';
}

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text = ''): string {
  if (/["']|&(?!(?:amp|lt|gt|quot|apos);)/.test(text)) throw new Error(`not escaped: ${text}`);
  return text.replace(/&(\w+);/g, (_, name: string) => signs[name] ?? '');
}

/** The tool `skill` as it is listed, under whatever number of others. */
export async function skillTool(server: StdioServer): Promise<ListedTool> {
  const tool = (await server.tools()).find(({ name }) => name === 'skill');
  if (tool === undefined) throw new Error('the tool skill is not listed');
  return tool;
}

export async function catalogueOf(server: StdioServer): Promise<Catalogue> {
  return readCatalogue((await skillTool(server)).description);
}
