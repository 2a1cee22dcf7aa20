import { ids, setup as operation, type SetupOutput } from '../../../../engine/operations/machine/setup.ts';
import { defineCommand } from '../../command.ts';
import { breakOff } from '../../terminal/signals.ts';

export const setup = defineCommand({
  operation,
  spelling: {
    agents: { positional: true, value: 'AGENT', choices: ids },
    global: { short: 'g' },
    project: { short: 'p' },
    approve: { value: 'WHAT' },
    http: { value: 'URL' },
    name: { value: 'NAME' },
  },
  about:
    'Connects agents to Repertoire: finds those that are installed, and writes our server into the file in which each ' +
    'keeps its MCP servers. Everything else in the file stays as it is, including comments; a backup is kept beside ' +
    'it. Without names it only shows what it would do. Options that choose skills, such as --skill-dir, go into what is ' +
    'written. Exit code 1: a file was left alone, or with --check, an agent could not connect. The agents are ' +
    `${ids.join(', ')}.`,
  examples: [
    { run: 'repertoire setup', what: 'which agents are here, and what would be done' },
    { run: 'repertoire setup claude-code codex', what: 'these two' },
    { run: 'repertoire setup --all --dry-run', what: 'every change, as a diff' },
    { run: 'repertoire setup codex --project --trust', what: 'in this project, and trust its folder' },
    { run: 'repertoire setup --check', what: 'connect as each agent would' },
    { run: 'repertoire setup cursor --http http://127.0.0.1:3000/mcp', what: 'to a running server' },
    { run: 'repertoire setup --all --remove', what: 'remove it everywhere' },
  ],
  request: () => ({ signal: breakOff() }),
  async print(output: SetupOutput, { terminal, engine, input }) {
    const { checkLines, diffLines, doneLines, shownLines } = await import('./setup-lines.ts');
    const context = { terminal, environment: engine.environment };
    return {
      check: () => checkLines(output.checks ?? [], context),
      show: () => shownLines(output, context, input),
      'dry-run': () => diffLines(output, context),
      write: () => doneLines(output, context, input),
    }[output.mode]();
  },
  succeeded: ({ ok }) => ok,
});
