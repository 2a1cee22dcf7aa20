import { displayPath } from '../../../../core/disk/paths.ts';
import type { Environment } from '../../../../core/environment.ts';
import { addTo } from '../../../../core/maps.ts';
import { count, grouped, oneLine } from '../../../../core/text/text.ts';
import type { AgentReport, AgentRule, AgentSkill } from '../../../../engine/operations/machine/doctor.ts';
import type { Style, Terminal } from '../../terminal/terminal.ts';

interface Layout {
  readonly terminal: Terminal;
  readonly environment: Environment;
  /** Whether everything is shown, or only the groups with something to report. */
  readonly all: boolean;
}

interface Group {
  readonly title: string;
  readonly style: Style;
  readonly takes: (skill: AgentSkill) => boolean;
  /** Whether the group is shown only where everything is wanted. */
  readonly isQuiet?: true;
}

const isSeen = ({ sees }: AgentSkill): boolean => sees === 'yes';
const isServed = ({ server }: AgentSkill): boolean => server === 'served';

/** Groups of skills; each skill is listed in the first group that takes it. */
const groups: readonly Group[] = [
  { title: 'Seen, and served as well', style: 'yellow', takes: (one) => isSeen(one) && isServed(one) },
  { title: 'Seen', style: 'green', takes: isSeen, isQuiet: true },
  { title: 'Not seen or cut short; the server fills the gap', style: 'cyan', takes: isServed },
  {
    title: 'Left to people to call; the server offers them as prompts',
    style: 'dim',
    takes: ({ server }) => server === 'people',
  },
  {
    title: 'Cut short, but enough is left; not served',
    style: 'dim',
    takes: ({ state, server }) => state === 'shortened' && server === 'left-out',
  },
  {
    title: 'Another of the same name is seen or served',
    style: 'dim',
    takes: ({ server }) => server === 'left-out' || server === 'hidden',
  },
  { title: 'Neither seen nor served: filters leave them out', style: 'yellow', takes: () => true },
];

/** Number of skills listed per group where not everything is wanted. */
const listed = 10;

export function agentLines(report: AgentReport, layout: Layout): string[] {
  const left = new Set(report.skills);
  const sections = groups.flatMap((group) => {
    const those = report.skills.filter((one) => left.has(one) && group.takes(one));
    for (const one of those) left.delete(one);
    return group.isQuiet && !layout.all
      ? []
      : section(
          group,
          those.map((one) => skillLines(one, layout)),
          layout,
        );
  });
  const skipped = report.skipped.map(({ file, reason, remedy }) => [
    `  ${path(file, layout)}`,
    `      ${oneLine(reason)}`,
    layout.terminal.style('dim', `      → ${oneLine(remedy)}`),
  ]);
  const unread: Pick<Group, 'title' | 'style'> = { title: 'Skipped by Repertoire', style: 'red' };
  return [...head(report, layout), ...sections, ...section(unread, skipped, layout), closing(report)];
}

function head(report: AgentReport, layout: Layout): string[] {
  const { name, listing, excludes, known } = report;
  const line = (what: string, text: string): string => `  ${what.padEnd(9)} ${layout.terminal.style('dim', text)}`;
  const isRun = ({ by }: AgentRule): number => Number(by === 'run');
  const places = bySource(report.rules.filter(({ does }) => does === 'reads').sort((a, b) => isRun(b) - isRun(a)));
  const reads = places.map(([source, rules]) => `${rules.map(({ what }) => what).join(', ')} (${source})`);
  return [
    layout.terminal.style('bold', `${name} by itself`),
    ...(reads.length === 0 ? [`no skill folders (${known})`] : reads).map((text, index) =>
      line(index === 0 ? 'reads' : '', text),
    ),
    ...(listing === null ? [] : [line('list', `these skills take ${grouped(listing.characters)} characters`)]),
    ...(listing?.rooms ?? []).map((room) => line('', `${grouped(room.characters)} fit with ${room.with}`)),
    line('server', excludes.length === 0 ? 'serves everything' : `--exclude ${excludes.join(',')}`),
    '',
    ...ruleLines(report, layout),
  ];
}

const headings: readonly (readonly [AgentRule['does'], string])[] = [
  ['does not show', 'Does not show skills with'],
  ['leaves to people', 'Lets only people call skills with'],
  ['not known', 'Unknown'],
  ['shows', 'Shows'],
];

/** Describes the agent's rules for kinds of skills; rules that simply show a skill, only where everything is wanted. */
function ruleLines({ rules }: AgentReport, { terminal, all }: Layout): string[] {
  return headings
    .filter(([does]) => all || does !== 'shows')
    .flatMap(([does, heading]) =>
      bySource(rules.filter((rule) => rule.does === does)).flatMap(([source, those]) => [
        `${heading} ${terminal.style('dim', `(${source})`)}`,
        ...those.map(({ what }) => `  ${terminal.style('dim', what)}`),
        '',
      ]),
    );
}

function bySource(rules: readonly AgentRule[]): readonly (readonly [string, readonly AgentRule[]])[] {
  const groups = new Map<string, AgentRule[]>();
  for (const rule of rules) addTo(groups, rule.known, rule);
  return [...groups];
}

function section(
  { title, style }: Pick<Group, 'title' | 'style'>,
  entries: readonly (readonly string[])[],
  { terminal, all }: Layout,
): string[] {
  if (entries.length === 0) return [];
  const shown = all ? entries : entries.slice(0, listed);
  const rest = entries.length - shown.length;
  const more = rest > 0 ? [terminal.style('dim', `  and ${rest} more (--all lists them)`)] : [];
  return [terminal.style(style, `${title} (${entries.length})`), ...shown.flat(), ...more, ''];
}

function skillLines({ fullName, file, reason }: AgentSkill, layout: Layout): string[] {
  const where = layout.terminal.style('dim', path(file, layout));
  return [`  ${oneLine(fullName)}  ${where}`, `      ${oneLine(reason)}`];
}

function path(file: string, { environment }: Layout): string {
  return oneLine(displayPath(file, environment));
}

function closing({ name, skills, summary, skipped }: AgentReport): string {
  const { yes, cut, no, unknown, served, missing } = summary;
  const parts = [
    `${yes} seen`,
    ...(cut > 0 ? [`${cut} cut short`] : []),
    `${no} not seen`,
    ...(unknown > 0 ? [`${unknown} uncertain`] : []),
  ];
  const gaps = missing > 0 ? `${missing} left out by filters` : 'nothing is missing';
  const left = skipped.length > 0 ? `; ${count(skipped.length, 'file')} skipped` : '';
  return `${count(skills.length, 'skill')} found; ${name} by itself: ${parts.join(', ')}. The server adds ${served}; ${gaps}${left}.`;
}
