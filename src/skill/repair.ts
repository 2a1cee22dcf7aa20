/**
 * Front matter that strict YAML refuses is, nearly always, one line of plain text that happens to hold `: `, a
 * quote, a bracket or another sign of YAML's own. Such a value is quoted as it stands and the text read again: what
 * the author wrote is what the author gets. Structure is never guessed at.
 */

interface Block {
  readonly line: number;
  readonly lines: string[];
}

const keyLine = /^([A-Za-z_][\w .-]*?)[ \t]*:(?:[ \t]+(.*))?$/;
const blockScalar = /^[|>][-+0-9]*[ \t]*(?:#.*)?$/;

/** The repaired text, same lines as before, or null when there is nothing to try. */
export function repairYaml(text: string, brokenLines: readonly number[]): string | null {
  const lines = withoutTabs(text.split('\n'));
  const blocks = topLevelBlocks(lines);
  const targets = blocks.filter((block) =>
    brokenLines.some((line) => line >= block.line && line < block.line + block.lines.length),
  );
  // An error is often reported where the parser gave up rather than where the fault lies: then quote whatever can be.
  const repaired = rewrite(blocks, targets) ?? rewrite(blocks, blocks);
  const untabbed = lines.join('\n');
  return repaired ?? (untabbed === text ? null : untabbed);
}

/** Everything that can be quoted, quoted: the second and last try. */
export function quoteAllValues(text: string): string | null {
  const blocks = topLevelBlocks(withoutTabs(text.split('\n')));
  return rewrite(blocks, blocks);
}

/** YAML forbids tabs as indent. Below a key without a value they mean one step; before any other key, nothing. */
function withoutTabs(lines: readonly string[]): string[] {
  let isBelowKey = false;
  return lines.map((line) => {
    const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
    const rest = line.slice(indent.length);
    if (indent === '' && rest !== '') isBelowKey = /:[ \t]*$/.test(rest);
    if (!indent.includes('\t')) return line;
    return isBelowKey || indent !== '\t' || !keyLine.test(rest) ? indent.replaceAll('\t', '  ') + rest : rest;
  });
}

function topLevelBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  lines.forEach((text, index) => {
    const last = blocks.at(-1);
    if (last === undefined || keyLine.test(text)) blocks.push({ line: index + 1, lines: [text] });
    else last.lines.push(text);
  });
  return blocks;
}

function rewrite(blocks: readonly Block[], targets: readonly Block[]): string | null {
  let changed = false;
  const out = blocks.flatMap((block) => {
    const quoted = targets.includes(block) ? quoteBlock(block.lines) : null;
    changed ||= quoted !== null;
    return quoted ?? block.lines;
  });
  return changed ? out.join('\n') : null;
}

/** A block whose value starts on the key's own line, as one double-quoted string; other blocks are left alone. */
function quoteBlock(lines: readonly string[]): string[] | null {
  const [, key, first] = keyLine.exec(lines[0] ?? '') ?? [];
  if (key === undefined || first === undefined || first.trim() === '' || blockScalar.test(first)) return null;
  const rest = lines.slice(1);
  const text = [first, ...rest].map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  const value = stripQuotes(text.join(' '));
  // Blank lines keep the line numbers of everything below.
  return [`${key}: ${JSON.stringify(value)}`, ...rest.map(() => '')];
}

/** Quotes the author opened, and closed or forgot to close, are not part of what was meant. */
function stripQuotes(value: string): string {
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return value;
  if (value.length > 1 && value.endsWith(quote)) return value.slice(1, -1);
  return value.indexOf(quote, 1) === -1 ? value.slice(1) : value;
}
