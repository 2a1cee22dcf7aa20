import type { Environment } from '../../../../core/environment.ts';
import { count, cut, oneLine, printable } from '../../../../core/text/text.ts';
import { search as operation } from '../../../../engine/operations/skills/search.ts';
import type { FindOutput } from '../../../../engine/searching/find.ts';
import { type ExactHit, type ExactOutput, mostExact } from '../../../../engine/searching/find.ts';
import type { SearchHit } from '../../../../engine/searching/hits.ts';
import { seenFrom } from '../../../../engine/summary.ts';
import { defineCommand } from '../../command.ts';
import { keepIndex } from '../../keep-index.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { measureFor, wrap } from '../../terminal/wrap.ts';

export const search = defineCommand({
  operation,
  spelling: {
    query: { positional: true, value: 'WORDS' },
    limit: { value: 'N', description: `Show at most this many; with --exact ${mostExact} is the most.` },
    provider: { value: 'NAME', completes: 'provider' },
    plugin: { value: 'NAME' },
  },
  about:
    'Finds skills by what they are about: by words, regardless of endings and small typos, and by meaning, in ' +
    'several languages, without a network. The first search builds an index; later ones add what changed. With --exact ' +
    'it finds only skills whose name, metadata or text contains every word. Exit code 1: nothing fits, which is ' +
    'to say that there are no hits, or only weak ones.',
  examples: [
    { run: 'repertoire search "turn a scanned contract into text"', what: 'say what you want to do' },
    { run: 'repertoire search 合并 PDF 文件', what: 'in another language than the skills are written in' },
    { run: 'repertoire search migration --provider codex --limit 3', what: 'only some skills, only a few' },
    { run: 'repertoire search csv encoding --exact', what: 'every word, exactly' },
    { run: 'repertoire search deploy --explain', what: 'why they come in this order' },
  ],
  async print(output, { terminal, engine }) {
    if ('total' in output) await printExact(output, terminal);
    else await printFound(output, terminal, engine.environment);
  },
  succeeded: ({ results }) => results.some(fits),
  finish: keepIndex,
});

/** Whether a hit is stronger than those that an unrelated query would find; an exact one always is. */
function fits(hit: ExactHit | SearchHit): boolean {
  return !('weak' in hit && hit.weak);
}

async function printExact({ query, total, results }: ExactOutput, terminal: Terminal): Promise<void> {
  if (total === 0) {
    const hint = 'Every word must occur; try without --exact, or fewer words.';
    terminal.write(`No skill contains all of: ${oneLine(query)}\n${hint}\n`);
    return;
  }
  const measure = await measureFor(results.map((hit) => hit.excerpt));
  for (const hit of results) {
    const lines = wrap(hit.excerpt, terminal.columns - 6, measure).map((line) => `      ${line}`);
    const where = terminal.style('dim', oneLine(hit.skillFile));
    terminal.write(`  ${terminal.style('cyan', oneLine(hit.fullName))}  ${where}\n${lines.join('\n')}\n`);
  }
  const shown =
    results.length < total
      ? `, the first${results.length === 1 ? '' : ` ${results.length}`} shown (--limit shows up to 25)`
      : '';
  terminal.write(`\n${count(total, 'skill')} found${shown}. repertoire show NAME prints one.\n`);
}

async function printFound(
  { query, results, notes }: FindOutput,
  terminal: Terminal,
  environment: Environment,
): Promise<void> {
  for (const note of notes) terminal.note(`note: ${oneLine(note)}\n`);
  if (results.length === 0) {
    terminal.write(`No skill found for: ${oneLine(query)}\nTry other words; repertoire list shows all skills.\n`);
    return;
  }
  const measure = await measureFor(results.map((hit) => hit.passage));
  for (const hit of results) {
    const lines = wrap(hit.passage, terminal.columns - 6, measure).map((line) => `      ${line}`);
    terminal.write(`${headOf(hit, terminal, environment)}\n${lines.join('\n')}\n`);
    for (const line of toolsOf(hit, terminal)) terminal.write(`      ${line}\n`);
    for (const line of [...copiesOf(hit), ...explained(hit)]) terminal.write(`      ${terminal.style('dim', line)}\n`);
  }
  const shown = `${count(results.length, 'skill')} shown, best first. repertoire show NAME prints one.`;
  const hint = 'Nothing fits well; these come closest. Try other words; repertoire list shows all skills.';
  terminal.write(`\n${results.some(fits) ? shown : hint}\n`);
}

function headOf(
  { name, score, weak, matchedBy, path }: SearchHit,
  terminal: Terminal,
  environment: Environment,
): string {
  const mark = weak ? `${score.toFixed(2)} weak` : score.toFixed(2);
  const facts = terminal.style('dim', `${matchedBy.join(' + ')}  ${oneLine(seenFrom(path, environment))}`);
  return `  ${terminal.style(weak ? 'dim' : 'cyan', oneLine(name))}  ${mark}  ${facts}`;
}

/** Lists the matching tools, what the best of them does, and the command that runs it: on one line, to be copied. */
function toolsOf({ tools, bestTool }: SearchHit, terminal: Terminal): string[] {
  if (bestTool === undefined) return [];
  const { name, description, optional, command } = bestTool;
  const dim = (line: string): string => terminal.style('dim', line);
  return [
    dim(`tools: ${tools.map(oneLine).join(', ')}`),
    ...(description === '' ? [] : [dim(cut(`${name}: ${description}`, terminal.columns - 6))]),
    // A command with unprintable characters would be a different one when copied.
    `${dim('run:')} ${printable(command) === command ? command : dim('see --json')}`,
    ...(optional.length === 0 ? [] : [dim(cut(`optional: ${optional.join(', ')}`, terminal.columns - 6))]),
  ];
}

function copiesOf({ copies }: SearchHit): string[] {
  if (copies.length === 0) return [];
  return [`also as ${copies.map(({ name, path }) => `${oneLine(name)} (${oneLine(path)})`).join(', ')}`];
}

function explained({ explanation, scores, score }: SearchHit): string[] {
  if (explanation === undefined) return [];
  const { shares, words, tool } = explanation;
  const sumOf = (by: SearchHit['scores']): string =>
    `${shares.words.toFixed(2)} × words ${by.words.toFixed(3)} + ${shares.meaning.toFixed(2)} × meaning ${by.meaning.toFixed(3)}`;
  const lines = words.map(({ written, word, as, by, rarity, fields }) => {
    const places = Object.entries(fields).map(([field, part]) => `${field} ${part?.toFixed(3)}`);
    const found =
      as === null ? 'not found' : `${as === word ? '' : `as ${oneLine(as)} (${by}) `}in ${places.join(', ')}`;
    return `  ${oneLine(written)} (rarity ${rarity.toFixed(1)}): ${found}`;
  });
  const isCut = scores.words * shares.words + scores.meaning * shares.meaning > 1;
  const itself = `${sumOf(scores)}${isCut ? ', capped at 1' : ''}`;
  if (tool === undefined) return [`score ${score.toFixed(3)} = ${itself}`, ...lines];
  const byTool = `score ${score.toFixed(3)} = ${sumOf(tool)}, for its tool ${oneLine(tool.name)}`;
  return [byTool, `the skill itself: ${itself}`, ...lines];
}
