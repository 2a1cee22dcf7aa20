import { oneLine } from '../../../../core/text/text.ts';
import type { SandboxReport } from '../../../../engine/operations/machine/doctor.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Reports the sandbox probes made on this machine, and their outcomes. */
export function sandboxLines(reports: readonly SandboxReport[], terminal: Terminal): string[] {
  const lines = reports.flatMap((report) => [...reportLines(report, terminal), '']);
  const all = reports.flatMap(({ probes }) => probes);
  const commands = reports.some(({ runtime, probes }) => runtime === 'native' && probes.length > 0);
  return [...lines, verdictOf(all.length, all.filter(({ held }) => !held).length, commands, terminal)];
}

function verdictOf(tried: number, failed: number, commands: boolean, terminal: Terminal): string {
  if (tried === 0) return terminal.style('yellow', 'Nothing could be tried: commands cannot be run here.');
  if (failed > 0) return terminal.style('red', `${failed} of ${tried} escape attempts got through.`);
  const blocked = `All ${tried} escape attempts were blocked`;
  return commands
    ? terminal.style('green', `${blocked}.`)
    : terminal.style('yellow', `${blocked}; commands cannot be run here.`);
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
