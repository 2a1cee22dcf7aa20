import { displayPath } from '../../../../core/disk/paths.ts';
import type { Environment } from '../../../../core/environment.ts';
import { oneLine, printable, shellWord } from '../../../../core/text/text.ts';
import type { SetupOutput } from '../../../../engine/operations/machine/setup.ts';
import { usualName } from '../../../../engine/setup/request.ts';
import type { Style, Terminal } from '../../terminal/terminal.ts';

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

const approvedTools: Readonly<Record<'read' | 'all', string>> = {
  read: 'loading and searching',
  all: 'loading, searching and running tools of skills',
};

/** Describes the approval that the agent will ask for, and what of it was approved. */
function approvalLines({ approval, action, problem }: Report, layout: Layout, wanted?: string): string[] {
  if (approval === null) {
    return wanted === undefined || problem !== null
      ? []
      : ['  --approve changes nothing here: no setting for it is known.'];
  }
  const { asks, approved, file, snippet, command, levels, impossible, done } = approval;
  const where = file === null ? 'its settings' : show(file, layout);
  const failed = [
    ...(approval.problem === null ? [] : [`  ${layout.terminal.style('red', oneLine(approval.problem))}`]),
    ...(impossible === null ? [] : [`  --approve ${impossible} is not possible here: nothing was approved.`]),
  ];
  if (command !== null)
    return [...failed, `  ${asks}`, `  No file can approve it. To approve it for one session: ${command}`];
  if (snippet !== null && problem === null) {
    const ways = levels.map((level) => `--approve ${level} (${approvedTools[level]})`).join(' or ');
    return [...failed, `  ${asks}`, `  To approve: setup with ${ways}, or add this to ${where}:`, ...pasted(snippet)];
  }
  if (approval.action === 'remove' && done) return [`  approvals removed from ${where}`];
  const backup = approval.backup === null ? [] : [`  backup: ${show(approval.backup, layout)}`];
  if (approved === null || action === 'remove') return failed;
  return [...failed, `  approved in ${where}: ${approvedTools[approved]}`, ...backup];
}

/** Reports the trust settings made for the project's folder. */
function trustLines({ trust }: Report, layout: Layout): string[] {
  if (trust === null) return [];
  const { file, action, done, problem } = trust;
  const folder = oneLine(trust.folder);
  if (file === null) return ['  --trust changes nothing here: this entry is not known to wait for trust in a folder.'];
  const where = show(file, layout);
  const failed =
    problem === null ? [] : [`  ${layout.terminal.style('red', `${folder}: ${oneLine(problem)} (${where})`)}`];
  const backup = trust.backup === null ? [] : [`  backup: ${show(trust.backup, layout)}`];
  if (action === 'remove')
    return [...(done ? [`  trust that setup had given removed from ${where}`] : []), ...failed, ...backup];
  return problem === null || done ? [`  trusted in ${where}: ${folder}`, ...failed, ...backup] : failed;
}

/** Diffs of the files with approval rules and with trusted folders, where those are files of their own. */
function answerDiffs({ name, approval, trust }: Report, layout: Layout): string[] {
  const parts = [
    [approval, approval?.action === 'remove' ? 'remove approvals from' : 'approve in'],
    [trust, trust?.action === 'remove' ? 'remove trust from' : 'trust this folder in'],
  ] as const;
  return parts.flatMap(([part, what]) => {
    if (part === null || part.file === null || (part.diff === null && part.problem === null)) return [];
    const problem = part.problem === null ? [] : [`  ${layout.terminal.style('red', oneLine(part.problem))}`];
    return [`# ${name}: ${what} ${show(part.file, layout)}`, ...diffOf(part.diff, layout), ...problem];
  });
}

interface Layout {
  readonly terminal: Terminal;
  readonly environment: Environment;
}

function diffOf(diff: string | null, layout: Layout): string[] {
  if (diff === null) return [];
  const lines = printable(diff).trimEnd().split('\n');
  return lines.map((line) => coloured(line, layout));
}

const lineStyles: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red', '@': 'cyan' };

function coloured(line: string, { terminal }: Layout): string {
  const style = lineStyles[line[0] ?? ''];
  return style === undefined ? line : terminal.style(style, line);
}

/** Indents a snippet to copy, so that it stands out from the text around it. */
function pasted(snippet: string): string[] {
  const lines = printable(snippet).trimEnd().split('\n');
  return lines.map((line) => `    ${line}`);
}

function show(path: string, { environment }: Layout): string {
  return oneLine(displayPath(path, environment));
}

type Check = NonNullable<SetupOutput['checks']>[number];

const columns: readonly (readonly [string, (check: Check, layout: Layout) => string])[] = [
  ['agent', ({ agent, scope }) => (scope === 'project' ? `${agent} (project)` : agent)],
  ['start', ({ startMs }) => (startMs === null ? '–' : `${startMs} ms`)],
  ['tools', ({ tools }) => `${tools ?? '–'}`],
  ['skills', ({ skills }) => `${skills ?? '–'}`],
  ['told', ({ told }) => `${told ?? '–'}`],
  ['loaded', ({ loaded }) => (loaded === null ? '–' : oneLine(loaded))],
];

/** Formats a table of the result for each agent, with the reason and the next step below each failure. */
export function checkLines(checks: readonly Check[], layout: Layout): string[] {
  const { terminal } = layout;
  const cells = checks.map((check) => columns.map(([, text]) => text(check, layout)));
  const widths = columns.map(([title], at) => Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string => row.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  ');
  const head = terminal.style('bold', `${line(columns.map(([title]) => title))}  verdict`);
  return [
    head,
    ...checks.flatMap((check, at) => {
      const [style, verdict] = verdictOn(check);
      return [`${line(cells[at] ?? [])}  ${terminal.style(style, verdict)}`, ...remarks(check, layout)];
    }),
  ];
}

function verdictOn({ works, pending }: Check): [Style, string] {
  if (!works) return ['red', 'fails'];
  return pending === null ? ['green', 'works'] : ['yellow', 'pending approval'];
}

function remarks({ reason, remedy, file, works, pending, notes }: Check, layout: Layout): string[] {
  const dim = (text: string): string => `    ${layout.terminal.style('dim', text)}`;
  return [
    ...(reason === null ? [] : [`    ${oneLine(reason)}`]),
    ...(remedy === null ? [] : [dim(`→ ${oneLine(remedy)}`)]),
    ...(reason === null || works ? [] : [dim(`by ${show(file, layout)}`)]),
    ...(pending === null ? [] : [dim(`→ ${oneLine(pending)}`)]),
    ...notes.map((note) => `    ${oneLine(note)}`),
  ];
}
