import type { SandboxReport } from '../../engine/running/check-sandboxes.ts';
import { oneLine } from '../../kernel/text.ts';
import type { Terminal } from '../terminal.ts';

/** What was tried on this machine, and what came of it. */
export function sandboxLines(reports: readonly SandboxReport[], terminal: Terminal): string[] {
  const lines = reports.flatMap((report) => [...reportLines(report, terminal), '']);
  const all = reports.flatMap(({ probes }) => probes);
  const failed = all.filter(({ held }) => !held).length;
  const verdict =
    all.length === 0
      ? terminal.style('yellow', 'Nothing could be tried: commands cannot be run here.')
      : failed === 0
        ? terminal.style('green', `All ${all.length} escape attempts were blocked.`)
        : terminal.style('red', `${failed} of ${all.length} escape attempts got through.`);
  return [...lines, verdict];
}

function reportLines(
  { runtime, ready, problem, remedy, enforcement, probes }: SandboxReport,
  terminal: Terminal,
): string[] {
  const state = ready ? terminal.style('green', 'ready') : terminal.style('yellow', 'not available');
  return [
    `${terminal.style('bold', runtime)} ${state}`,
    ...(problem === null ? [] : [`  ${oneLine(problem)}`, terminal.style('dim', `  → ${oneLine(remedy ?? '')}`)]),
    ...enforcement.map(({ what, by }) => `  ${what.padEnd(10)} ${terminal.style('dim', oneLine(by))}`),
    ...probes.map(({ name, held, detail, expectation }) => {
      const mark = held ? terminal.style('green', '  blocked') : terminal.style('red', '  FAILED ');
      return `${mark}  ${oneLine(name)}: ${oneLine(held ? expectation : detail)}`;
    }),
  ];
}
