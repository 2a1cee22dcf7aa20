import { oneLine } from '../../../../core/text/text.ts';
import type { SetupOutput } from '../../../../engine/operations/machine/setup.ts';
import type { Style } from '../../terminal/terminal.ts';
import { type Layout, show } from './setup-text.ts';

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
