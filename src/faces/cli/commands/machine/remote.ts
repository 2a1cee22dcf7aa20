import { count, oneLine } from '../../../../core/text/text.ts';
import { remote as operation, type RemoteRow } from '../../../../engine/operations/machine/remote.ts';
import { defineCommand } from '../../command.ts';
import { briefTime } from '../../terminal/brief.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export const remote = defineCommand({
  operation,
  spelling: {
    action: { positional: true, value: 'ACTION' },
    name: { positional: true, value: 'NAME' },
    source: { positional: true, value: 'SOURCE' },
    tokenEnv: { value: 'VARIABLE' },
    tokenFile: { value: 'PATH', completes: 'path' },
    clientId: { value: 'ID' },
    passEnv: { value: 'VARIABLE' },
  },
  withoutProject: true,
  about:
    'Adds other MCP servers as remotes: their skills are fetched, checked and kept, and appear under the provider NAME ' +
    'beside your own, which they never hide. They work without the network until refresh asks the server again. A remote is ' +
    'a URL, with a token or by signing in, or a command after --. No token is ever kept or shown; what signing in gives is ' +
    'kept in a file for you alone. Tools of remote skills are not run. Exits with 1 when a refresh fails.',
  examples: [
    { run: 'repertoire remote add team https://skills.example.com/mcp --token-env TEAM_TOKEN', what: 'with a token' },
    { run: 'repertoire remote add team https://skills.example.com/mcp --oauth', what: 'signing in with a browser' },
    { run: 'repertoire remote add other -- npx some-skills-server --verbose', what: 'a command' },
    { run: 'repertoire remote refresh', what: 'ask all of them for changes' },
    { run: 'repertoire remote remove team', what: 'remove it, with its skills and tokens' },
  ],
  request: ({ terminal }) => ({
    warn: (text: string) => terminal.note(`${terminal.style('yellow', 'note:')} ${oneLine(text)}\n`),
  }),
  print({ remotes }, { terminal, input }) {
    if (remotes.length > 0) terminal.write(remotes.map((row) => linesOf(row, terminal)).join(''));
    else
      terminal.write(
        input.action === 'list' ? 'No remotes. Add one: repertoire remote add NAME URL\n' : 'No remotes.\n',
      );
  },
  succeeded: ({ failed }) => failed === 0,
});

const words: { readonly [O in NonNullable<RemoteRow['outcome']>]: string } = {
  added: 'Added',
  refreshed: 'Refreshed',
  unchanged: 'Unchanged',
  failed: 'Failed',
  removed: 'Removed',
};

/** Formats one remote: a line with what it is and holds, and one for each problem. */
function linesOf(row: RemoteRow, terminal: Terminal): string {
  const { name, address, auth, server, skills, refreshedAt, failure, problems, outcome } = row;
  const facts = [
    count(skills.length, 'skill'),
    ...(server === null ? [] : [oneLine(server)]),
    ...(auth === 'none' ? [] : [auth]),
    ...(refreshedAt === null ? [] : [`refreshed ${briefTime(refreshedAt)}`]),
  ];
  const done = outcome === null ? '' : `${words[outcome]} `;
  const title = `${done}${terminal.style('bold', name)}  ${oneLine(address)}  ${terminal.style('dim', facts.join(', '))}`;
  const notes = problems.map(({ skill, message }) => oneLine(skill === null ? message : `${skill}: ${message}`));
  const failed = failure === null ? [] : [terminal.style('red', `the last refresh failed: ${oneLine(failure)}`)];
  const lines = [
    title,
    ...[...failed, ...notes.map((note) => terminal.style('yellow', note))].map((one) => `  ${one}`),
  ];
  return `${lines.join('\n')}\n`;
}
