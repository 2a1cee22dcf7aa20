import { oneLine, shellWord } from '../../../../core/text/text.ts';
import type { SetupOutput } from '../../../../engine/operations/machine/setup.ts';
import { usualName } from '../../../../engine/setup/request.ts';
import type { Style } from '../../terminal/terminal.ts';
import { answerDiffs, approvalLines, trustLines } from './setup-approval.ts';
import { diffOf, type Layout, pasted, show } from './setup-text.ts';

type Report = SetupOutput['agents'][number];

/** Options given beside the agents. */
export interface Said {
  readonly remove: boolean;
  readonly http?: string | undefined;
  readonly approve?: string | undefined;
}

const states: Readonly<Record<Report['state'], readonly [Style, string]>> = {
  absent: ['yellow', 'not set up'],
  current: ['green', 'set up'],
  differs: ['yellow', 'set up differently'],
  unparseable: ['red', 'cannot be read'],
  unsupported: ['dim', 'not possible'],
};

/** Lists the agents found on this machine, and the state of their files. */
export function shownLines({ agents, scope, server }: SetupOutput, layout: Layout, { remove, http }: Said): string[] {
  if (agents.length === 0)
    return ['No agent was found.', 'repertoire setup --help lists all that can be set up by name.'];
  const { terminal } = layout;
  const width = Math.max(...agents.map(({ id }) => id.length));
  const stateWidth = Math.max(16, ...agents.map(({ state }) => states[state][1].length));
  const rows = agents.flatMap((agent) => {
    const [style, text] = states[agent.state];
    const state = terminal.style(style, text.padEnd(stateWidth));
    const found = agent.detectedBy === null ? '' : terminal.style('dim', `  found ${show(agent.detectedBy, layout)}`);
    const reason = agent.problem === null ? [] : [`    ${oneLine(agent.problem)}`];
    return [`  ${agent.id.padEnd(width)}  ${state}  ${fileIn(agent, layout)}${found}`, ...reason];
  });
  const options = [
    ...(scope === 'project' ? ['--project'] : []),
    ...(remove ? ['--remove'] : []),
    ...(http === undefined ? [] : ['--http', shellWord(oneLine(http))]),
    ...named(server),
  ];
  const all = ['repertoire setup --all', ...options].join(' ');
  const steps = agents.some(({ action }) => action !== 'none')
    ? [
        [remove ? 'removes it from all of them' : 'sets up all of them', all],
        ['shows each change first', `${all} --dry-run`],
      ]
    : [];
  const isSetUp = agents.some(({ state }) => state === 'current' || state === 'differs');
  const check = ['repertoire setup --check', ...named(server)].join(' ');
  const next = [...steps, ...(isSetUp ? [['connects as each of them would', check]] : [])];
  const widest = Math.max(...next.map(([, run = '']) => run.length));
  return [
    terminal.style('bold', `Agents found (${agents.length})`),
    ...rows,
    '',
    'Nothing was written.',
    ...next.map(([what, run = '']) => `  ${run.padEnd(widest)}  ${what}`),
  ];
}

function named(server: string): string[] {
  return server === usualName ? [] : ['--name', server];
}

/** Formats every change as a diff, with a line for each agent that patch leaves alone. */
export function diffLines({ agents }: SetupOutput, layout: Layout): string[] {
  const rows = agents.flatMap((agent) => [
    `# ${agent.name}: ${agent.action === 'none' ? unchanged(agent) : agent.action} ${fileIn(agent, layout)}`,
    ...diffOf(agent.diff, layout),
    ...problemIn(agent, layout),
    ...answerDiffs(agent, layout),
  ]);
  return rows.length === 0 ? ['# Nothing to do.'] : rows;
}

const verbs: Readonly<Record<Report['action'], string>> = {
  none: '',
  add: 'added to',
  update: 'changed in',
  remove: 'removed from',
};

/** Reports the changes made for each agent, and the steps left to do. */
export function doneLines({ agents, server }: SetupOutput, layout: Layout, said: Said): string[] {
  if (agents.length === 0) return ['Nothing to do: no agent was found.'];
  const changed = agents.filter(({ done }) => done).map(({ id }) => id);
  const isAdded = agents.some(({ done, action }) => done && action !== 'remove');
  return [
    ...agents.flatMap((agent) => doneFor(agent, layout, said)),
    ...(isAdded
      ? ['', `Check that it works: ${['repertoire setup --check', ...changed, ...named(server)].join(' ')}`]
      : []),
  ];
}

function doneFor(agent: Report, layout: Layout, { approve }: Said): string[] {
  const { terminal } = layout;
  const name = terminal.style('bold', agent.name);
  const answers = [...approvalLines(agent, layout, approve), ...trustLines(agent, layout)];
  if (!agent.done) {
    const what = agent.file === null ? 'left alone' : `${unchanged(agent)} ${fileIn(agent, layout)}`;
    return [`${name}: ${what}`, ...problemIn(agent, layout), ...answers];
  }
  const dim = (text: string): string => `  ${terminal.style('dim', text)}`;
  return [
    `${name}: ${terminal.style('green', verbs[agent.action])} ${fileIn(agent, layout)}`,
    ...(agent.backup === null ? [] : [dim(`backup: ${show(agent.backup, layout)}`)]),
    ...agent.notes.map((note) => `  ${note}`),
    ...answers,
    ...(agent.command === null ? [] : [dim(`its own command for this: ${oneLine(agent.command)}`)]),
  ];
}

function unchanged({ state, problem, action }: Report): string {
  if (problem !== null) return 'left alone,';
  return action === 'none' && state === 'absent' ? 'not in' : 'already set up in';
}

/** Describes the problem that is in the way, and the snippet to paste. */
function problemIn({ problem, snippet, file }: Report, layout: Layout): string[] {
  if (problem === null) return [];
  const reason = `  ${layout.terminal.style('red', oneLine(problem))}`;
  if (snippet === null || file === null) return [reason];
  return [reason, `  Add this to ${show(file, layout)} yourself:`, ...pasted(snippet)];
}

function fileIn({ file }: Report, layout: Layout): string {
  return file === null ? '' : show(file, layout);
}
