import { type Diagnostic, positionOf, type Severity } from '../../../../core/diagnostics.ts';
import { displayPath } from '../../../../core/disk/paths.ts';
import type { Environment } from '../../../../core/environment.ts';
import { addTo } from '../../../../core/maps.ts';
import { count, oneLine } from '../../../../core/text/text.ts';
import { type DoctorOutput, doctor as operation } from '../../../../engine/operations/machine/doctor.ts';
import { defineCommand } from '../../command.ts';
import type { Style, Terminal } from '../../terminal/terminal.ts';

export const doctor = defineCommand({
  operation,
  spelling: {
    agent: {
      value: 'NAME',
      completes: 'agent',
      description: 'Show what this agent sees by itself and what the server adds, as in --agent codex.',
    },
  },
  withoutProject: true,
  about:
    'Shows every folder that was searched and what was found there, then everything that was skipped, repaired, ' +
    'shadowed, ambiguous, linked outside or beyond the limits of some client, each with its remedy. Exit code 1: ' +
    'something was skipped, or with --sandbox, an escape attempt got through or nothing could be tried. With --agent it ' +
    'shows instead what that agent finds, cuts short or skips by itself, and what the server adds.',
  examples: [
    { run: 'repertoire doctor', what: 'everything' },
    { run: 'repertoire doctor --all', what: 'with the folders that do not exist, and every note' },
    { run: 'repertoire doctor --sandbox', what: 'what tools could really do on this machine' },
    {
      run: 'repertoire doctor --agent codex',
      what: 'which skills Codex sees by itself, and which only through the server',
    },
    { run: 'repertoire doctor --json | jq \'.diagnostics[] | select(.severity == "error")\'', what: 'for scripts' },
  ],
  printOptions: {
    all: {
      kind: 'switch',
      description: 'Also show folders that do not exist, every note of the same kind, and what is in order.',
    },
  },
  async print(output, { terminal, engine, input }) {
    if (output.sandboxes !== null) {
      const { sandboxLines } = await import('./doctor-sandbox.ts');
      return sandboxLines(output.sandboxes, terminal);
    }
    if (output.agent !== null) {
      const { agentLines } = await import('./doctor-agent.ts');
      return agentLines(output.agent, { terminal, environment: engine.environment, all: input.all });
    }
    const most = input.all ? Number.POSITIVE_INFINITY : 10;
    return [
      ...rootLines(output, engine.environment, terminal, input.all),
      ...(['error', 'warning', 'info'] as const).flatMap((severity) =>
        problemLines(output, severity, { environment: engine.environment, terminal, most }),
      ),
      closing(output),
    ];
  },
  succeeded: ({ summary, sandboxes }) => !hasFailed(summary.errors, sandboxes),
});

function hasFailed(errors: number, sandboxes: DoctorOutput['sandboxes']): boolean {
  if (sandboxes === null) return errors > 0;
  const [commands] = sandboxes.filter(({ runtime }) => runtime === 'native');
  // A sandbox that could not be probed is not known to hold.
  return commands?.probes.length === 0 || sandboxes.some(({ probes }) => probes.some(({ held }) => !held));
}

function rootLines({ roots }: DoctorOutput, environment: Environment, terminal: Terminal, all: boolean): string[] {
  const there = roots.filter((root) => root.status !== 'missing');
  const missing = roots.length - there.length;
  const lines = (all ? roots : there).map((root) => {
    const found = root.status === 'found' ? count(root.skills, 'skill') : root.status;
    const plugin = root.plugin === null ? '' : ` ${oneLine(root.plugin)}`;
    const source = terminal.style('dim', `${oneLine(root.provider)} · ${root.location}${plugin}`);
    return `  ${found.padStart(12)}  ${oneLine(displayPath(root.path, environment))}  ${source}`;
  });
  const rest =
    all || missing === 0
      ? []
      : [terminal.style('dim', `  and ${missing} folders that do not exist (--all lists them)`)];
  return [terminal.style('bold', 'Folders searched'), ...lines, ...rest, ''];
}

const titles: Readonly<Record<Severity, readonly [Style, string]>> = {
  error: ['red', 'Skipped'],
  warning: ['yellow', 'Warnings'],
  info: ['dim', 'Notes'],
};

interface Layout {
  readonly environment: Environment;
  readonly terminal: Terminal;
  /** Number of entries listed per kind. */
  readonly most: number;
}

function problemLines(
  { diagnostics }: DoctorOutput,
  severity: Severity,
  { environment, terminal, most }: Layout,
): string[] {
  const those = diagnostics.filter((one) => one.severity === severity);
  if (those.length === 0) return [];
  const [style, title] = titles[severity];
  const lines = [...groupByCode(those)].flatMap(([code, list]) => {
    const shown = list.slice(0, most).map((one) => {
      const file =
        one.code === 'filter-no-match'
          ? ''
          : `${oneLine(displayPath(one.file, environment))}${positionOf(one)}\n      `;
      return `  ${file}${oneLine(one.message)}\n      ${terminal.style('dim', `→ ${oneLine(one.remedy)}`)}`;
    });
    const rest = list.length - shown.length;
    return rest > 0 ? [...shown, terminal.style('dim', `  and ${rest} more of ${code} (--all lists them)`)] : shown;
  });
  return [terminal.style(style, `${title} (${those.length})`), ...lines, ''];
}

function groupByCode(diagnostics: readonly Diagnostic[]): Map<string, Diagnostic[]> {
  const groups = new Map<string, Diagnostic[]>();
  for (const one of diagnostics) addTo(groups, one.code, one);
  return groups;
}

function closing({ summary }: DoctorOutput): string {
  const { skills, hidden, quarantined, errors, warnings, notes } = summary;
  const parts = [
    ...(hidden > 0 ? [`${hidden} of them hidden by others`] : []),
    ...(quarantined > 0 ? [`${quarantined} in quarantine`] : []),
  ];
  const problems =
    errors + warnings + notes === 0
      ? 'nothing to report'
      : `${errors - quarantined} skipped, ${count(warnings, 'warning')}, ${count(notes, 'note')}`;
  return `${count(skills, 'skill')} found${parts.map((part) => `, ${part}`).join('')}; ${problems}.`;
}
