import { search as operation } from '../../engine/operations/search.ts';
import { count, oneLine } from '../../kernel/text.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../exit.ts';
import { measureFor, wrap } from '../wrap.ts';

export const search = defineCommand({
  operation,
  about:
    'Finds skills in whose name, metadata or text every given word occurs, without regard to letter case. It is ' +
    'exact: it never guesses. Exit code 1: nothing found.',
  examples: [
    { run: 'repertoire search csv encoding', what: 'skills that speak of both' },
    { run: 'repertoire search migration --include project', what: 'only in what this project brings' },
    { run: 'repertoire search pdf --limit 3 --json', what: 'for scripts' },
  ],
  async print({ query, total, results }, { terminal }) {
    if (total === 0) {
      const hint = 'Every word must occur; try fewer or other words, or repertoire list.';
      terminal.write(`No skill holds all of: ${oneLine(query)}\n${hint}\n`);
      return;
    }
    const measure = await measureFor(results.map((hit) => hit.excerpt));
    for (const hit of results) {
      const lines = wrap(hit.excerpt, terminal.columns - 6, measure).map((line) => `      ${line}`);
      const where = terminal.style('dim', oneLine(hit.skillFile));
      terminal.write(`  ${terminal.style('cyan', oneLine(hit.fullName))}  ${where}\n${lines.join('\n')}\n`);
    }
    const shown = results.length < total ? `, the first ${results.length} shown (--limit shows up to 25)` : '';
    terminal.write(`\n${count(total, 'skill')} found${shown}. repertoire show NAME prints one.\n`);
  },
  exitCode: ({ total }) => (total === 0 ? exitCodes.negative : exitCodes.ok),
});
