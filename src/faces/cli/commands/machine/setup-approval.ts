import { oneLine } from '../../../../core/text/text.ts';
import type { SetupOutput } from '../../../../engine/operations/machine/setup.ts';
import { diffOf, type Layout, pasted, show } from './setup-text.ts';

type Report = SetupOutput['agents'][number];

const approvedTools: Readonly<Record<'read' | 'all', string>> = {
  read: 'loading and searching',
  all: 'loading, searching and running tools of skills',
};

/** Describes the approval that the agent will ask for, and what of it was approved. */
export function approvalLines({ approval, action, problem }: Report, layout: Layout, wanted?: string): string[] {
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
export function trustLines({ trust }: Report, layout: Layout): string[] {
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
export function answerDiffs({ name, approval, trust }: Report, layout: Layout): string[] {
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
