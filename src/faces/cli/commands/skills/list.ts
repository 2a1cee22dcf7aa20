import { addTo } from '../../../../core/maps.ts';
import { count, oneLine } from '../../../../core/text/text.ts';
import type { Engine } from '../../../../engine/engine.ts';
import { type ListOutput, list as operation, type SkillRecord } from '../../../../engine/operations/skills/list.ts';
import { defineCommand } from '../../command.ts';
import type { Style, Terminal } from '../../terminal/terminal.ts';
import { clip, type Measure, measureFor, wrap } from '../../terminal/wrap.ts';

export const list = defineCommand({
  operation,
  input: ({ all, disabled }) => ({ ...(all && { all }), ...(disabled && { disabled }) }),
  about:
    'Lists the skills of every agent, grouped by the provider and location they come from. Copies hidden by another ' +
    'skill are marked, and problems are counted in the last line.',
  examples: [
    { run: 'repertoire list', what: 'everything on this machine, seen from this folder' },
    { run: 'repertoire list --include project', what: 'only what this project brings' },
    { run: "repertoire list --include 'claude:pdf*' --exclude @plugins", what: "some of Claude Code's own" },
    { run: 'repertoire list --disabled', what: 'what repertoire disable has put aside' },
    { run: 'repertoire list --json | jq -r .skills[].fullName', what: 'for scripts' },
  ],
  printOptions: { full: { kind: 'switch', description: 'Show full descriptions.' } },
  async print(output, { terminal, engine, input }) {
    const aside = input.all || input.disabled ? switchedOff(output) : [];
    if (output.skills.length === 0 && aside.length === 0) {
      terminal.write(input.disabled ? 'Nothing is disabled.\n\n' : emptyText);
    } else {
      const measure = await measureFor(output.skills.flatMap((skill) => [skill.fullName, skill.description]));
      const layout = {
        terminal,
        measure,
        lines: input.full ? Number.POSITIVE_INFINITY : 2,
        ...(await marksFor(output, engine)),
      };
      const lines = groupsOf(output.skills).flatMap(([title, skills]) => [
        ...inColumns(
          [
            ['bold', title],
            ['dim', `(${count(skills.length, 'skill')})`],
          ],
          layout,
          0,
        ),
        ...skills.flatMap((skill) => entry(skill, layout)),
        '',
      ]);
      terminal.write(`${[...lines, ...aside].join('\n')}\n`);
    }
    const kept = keptOut(output);
    const lines = kept.flatMap((text) => wrap(text, terminal.columns - 2, (one) => one.length));
    if (kept.length > 0) terminal.write(`Kept out by the scan\n${lines.map((line) => `  ${line}\n`).join('')}\n`);
    return wrap(closing(output), terminal.columns, (text) => text.length);
  },
});

const emptyText = `No skills found.

Put a folder with a SKILL.md into ~/.agents/skills or ./skills, or name one:
  repertoire list --skill-dir PATH

`;

/** Lines for skills that another program has disabled by renaming their files, which are not read. */
function switchedOff({ diagnostics }: ListOutput): readonly string[] {
  const files = diagnostics.filter(({ code, file }) => code === 'skill-disabled' && file.endsWith('/.SKILL.md'));
  return files.length === 0
    ? []
    : ['Disabled by the name of the file', ...files.map(({ file }) => `  ${oneLine(file)}`), ''];
}

/** Texts on skills in quarantine that were never installed, so that no folder of skills has them. */
function keptOut({ skills, diagnostics }: ListOutput): readonly string[] {
  const files = new Set(skills.map(({ file }) => file));
  return diagnostics
    .filter(({ code, file }) => code === 'quarantined' && !files.has(file))
    .map(({ message }) => oneLine(message));
}

function groupsOf(skills: readonly SkillRecord[]): [string, SkillRecord[]][] {
  const groups = new Map<string, SkillRecord[]>();
  for (const skill of skills) {
    addTo(groups, `${oneLine(skill.provider)} · ${skill.location}`, skill);
  }
  return [...groups];
}

interface Layout {
  readonly terminal: Terminal;
  readonly measure: Measure;
  /** Number of lines of a description that are shown. */
  readonly lines: number;
  /** The unambiguous name to ask for, by file, where no rule ranks skills of the same name. */
  readonly ambiguous: ReadonlyMap<string, string>;
  /** Number of copies that each name hides. */
  readonly copies: ReadonlyMap<string, number>;
}

async function marksFor(
  { skills, diagnostics }: ListOutput,
  { registry }: Engine,
): Promise<Pick<Layout, 'ambiguous' | 'copies'>> {
  const copies = new Map<string, number>();
  for (const { shadowed, fullName } of skills) {
    if (shadowed) copies.set(fullName, (copies.get(fullName) ?? 0) + 1);
  }
  const files = new Set(diagnostics.filter((one) => one.code === 'ambiguous').map((one) => one.file));
  if (files.size === 0) return { copies, ambiguous: new Map() };
  const { distinctName } = await import('../../../../registry/resolve.ts');
  const snapshot = await registry.snapshot();
  const those = snapshot.skills.filter((skill) => files.has(skill.file));
  return { copies, ambiguous: new Map(those.map((skill) => [skill.file, distinctName(snapshot, skill)])) };
}

const indent = 6;

function entry(skill: SkillRecord, layout: Layout): string[] {
  const { terminal, measure, lines } = layout;
  const marks = marksOf(skill, layout).map(([style, text]): Part => [style, `[${text}]`]);
  const name: Part = [skill.shadowed || skill.disabled ? 'dim' : 'cyan', oneLine(skill.fullName)];
  const width = terminal.columns - indent;
  // A long description need not be wrapped to the end to show its beginning.
  const start = oneLine(skill.description.slice(0, Math.min(lines * 16 * width, skill.description.length)));
  const text = clip(wrap(start, width, measure), lines, width, measure);
  return [...inColumns([name, ...marks], layout, 2), ...text.map((line) => ' '.repeat(indent) + line)];
}

type Part = readonly [Style, string];

/** Lays parts out on one line where there is room; else each on its own line, indented behind the first. */
function inColumns(parts: readonly Part[], { terminal, measure }: Layout, margin: number): string[] {
  const styled = ([style, text]: Part): string => terminal.style(style, text);
  const isRoom = margin + measure(parts.map(([, text]) => text).join(' ')) <= terminal.columns;
  if (isRoom) return [' '.repeat(margin) + parts.map(styled).join(' ')];
  return parts.flatMap(([style, text], index) => {
    const left = index === 0 ? margin : 2 * margin;
    const lines = wrap(text, terminal.columns - left, measure);
    return lines.map((line) => ' '.repeat(left) + styled([style, line]));
  });
}

function marksOf(skill: SkillRecord, { ambiguous, copies }: Layout): Part[] {
  const marks: Part[] = [];
  if (skill.disabled) marks.push(['red', 'disabled']);
  else if (skill.disabledFor.length > 0) marks.push(['red', `disabled for ${skill.disabledFor.join(', ')}`]);
  if (skill.shadowed) marks.push(['dim', 'shadowed']);
  const name = ambiguous.get(skill.file);
  if (name !== undefined) marks.push(['yellow', `ambiguous: ask for ${oneLine(name)}`]);
  if (skill.looksLike !== null) marks.push(['red', `looks like ${oneLine(skill.looksLike)}`]);
  if (skill.quarantined) marks.push(['red', 'quarantined']);
  if (skill.repaired) marks.push(['yellow', 'repaired']);
  const hidden = skill.shadowed ? 0 : (copies.get(skill.fullName) ?? 0);
  if (hidden > 0) marks.push(['dim', `hides ${count(hidden, 'copy', 'copies')}`]);
  return marks;
}

function closing({ skills, diagnostics }: ListOutput): string {
  const skipped = diagnostics.filter((one) => one.severity === 'error').length;
  const noted = diagnostics.filter((one) => one.severity === 'warning').length;
  const aside = diagnostics.filter((one) => one.code === 'skill-disabled').length;
  const off = aside === 0 || skills.some(({ disabled }) => disabled) ? '' : ` and ${aside} disabled`;
  const shown = count(skills.length, 'skill') + off;
  if (skipped + noted === 0) return `${shown}, no problems.`;
  const parts = [...(skipped > 0 ? [`${skipped} skipped`] : []), ...(noted > 0 ? [count(noted, 'warning')] : [])];
  return `${shown}, ${count(skipped + noted, 'problem')} (${parts.join(', ')}): run repertoire doctor to see what and why.`;
}
