import { cut, oneLine } from '../../../../core/text/text.ts';
import { type ActivityRow, activity as operation } from '../../../../engine/operations/machine/activity.ts';
import { defineCommand } from '../../command.ts';
import { briefDuration, briefTime } from '../../terminal/brief.ts';
import type { Style, Terminal } from '../../terminal/terminal.ts';

export const activity = defineCommand({
  operation,
  spelling: {
    client: { value: 'NAME' },
    skill: { value: 'NAME', completes: 'skill' },
    since: { value: 'TIME' },
    limit: { value: 'N' },
  },
  about:
    'Shows what was searched for, loaded, run, granted and revoked, by which client and with what result, newest last. ' +
    'Runs and grants come from the audit log; searches and loads from a log of their own, which --no-activity turns off. As JSON, the ' +
    'newest come first.',
  examples: [
    { run: 'repertoire activity', what: 'the last hundred' },
    { run: 'repertoire activity --what loaded --client claude-code --since 1d', what: 'what one agent read in a day' },
    { run: 'repertoire activity --what granted', what: 'who allowed what, and when' },
    { run: 'repertoire activity --skill csv-profiler --json', what: 'all about one skill, for scripts' },
  ],
  print({ rows, kept }, { terminal }) {
    const lines = rows.toReversed().map((row) => lineOf(row, terminal));
    terminal.write(lines.join('') || 'No activity yet.\n');
    if (!kept) terminal.note('note: searches and loads are not logged: the setting activity is off\n');
  },
});

const styles: Readonly<Record<ActivityRow['what'], Style>> = {
  searched: 'blue',
  loaded: 'cyan',
  ran: 'green',
  granted: 'yellow',
  revoked: 'yellow',
  edited: 'yellow',
  changed: 'yellow',
};

/** Formats one row: time, caller, action, outcome. */
function lineOf(row: ActivityRow, terminal: Terminal): string {
  const { time, what, client, user, outcome, durationMs } = row;
  const who = user === undefined ? client : `${user}, ${client}`;
  const head = [briefTime(time), cut(who, 20).padEnd(20), what.padEnd(8)] as const;
  const tail = `${cut(outcome, 20)} ${briefDuration(durationMs)}`;
  const room = terminal.columns - head.join(' ').length - tail.length - 2;
  return `${[
    terminal.style('dim', oneLine(head[0])),
    head[1],
    terminal.style(styles[what], head[2]),
    cut(subjectOf(row), Math.max(room, 20)),
    terminal.style(outcome === 'ok' ? 'dim' : 'yellow', tail),
  ].join(' ')}\n`;
}

function subjectOf({ what, skill, detail, hits }: ActivityRow): string {
  if (what === 'searched') return `"${detail ?? ''}" (${hits ?? 0} found)`;
  if (what === 'ran') return `${skill}:${detail}`;
  if (what === 'granted' || what === 'revoked') return `${skill} ${detail ?? ''}`;
  return detail === null ? `${skill}` : `${skill}/${detail}`;
}
