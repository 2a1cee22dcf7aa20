import type { SetupOutput } from '../../engine/operations/setup.ts';
import { oneLine } from '../../kernel/text.ts';
import { diffOf, type Layout, pasted, show } from './setup-text.ts';

type Report = SetupOutput['agents'][number];

const approvedTools: Readonly<Record<'read' | 'all', string>> = {
  read: 'loading and searching',
  all: 'loading, searching and running tools of skills',
};

/** What the agent will ask, and what was approved of it. */
export function approvalLines({ approval, action, problem }: Report, layout: Layout): string[] {
  if (approval === null) return [];
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

/** The change to the file with the rules, where that is another one. */
export function approvalDiff({ name, approval }: Report, layout: Layout): string[] {
  if (approval === null || approval.file === null || (approval.diff === null && approval.problem === null)) return [];
  const problem = approval.problem === null ? [] : [`  ${layout.terminal.style('red', oneLine(approval.problem))}`];
  const head = `# ${name}: ${approval.action === 'remove' ? 'remove approvals from' : 'approve in'} ${show(approval.file, layout)}`;
  return [head, ...diffOf(approval.diff, layout), ...problem];
}
