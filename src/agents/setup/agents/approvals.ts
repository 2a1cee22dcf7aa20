import type { Approved, Approving } from '../../types.ts';
import { type Approval, type ApprovalKeys, approvalLevels } from './types.ts';

/** The tools of `serve`, as they are documented: those that only read skills, and those that run their tools. */
export const ourTools: Readonly<Record<'looking' | 'running', readonly string[]>> = {
  looking: ['skill', 'skills.list', 'skills.search', 'skill-engine/list_skills', 'skill-engine/search_skills'],
  running: ['skill-engine/execute'],
};

function toolsOf(level: Approved): readonly string[] {
  return level === 'all' ? [...ourTools.looking, ...ourTools.running] : ourTools.looking;
}

/** The configuration by which an agent does not ask, for each of the levels that its files can approve. */
export function approvalBy({ asks, unasked, command, allBy, toolsIn, rules }: Approving): Approval {
  const keys = keysFor(allBy, toolsIn);
  const byTool = toolsIn !== undefined || rules !== undefined;
  return {
    ...{ asks, levels: approvalLevels.filter((level) => byTool || (level === 'all' && allBy !== undefined)) },
    ...(unasked && { unasked }),
    ...(command && { command }),
    ...(keys && { keys }),
    ...(rules && { rules: { ...rules, lists: (server, scope, level) => rules.lists(server, scope, toolsOf(level)) } }),
  };
}

function keysFor(allBy: Approving['allBy'], toolsIn: Approving['toolsIn']): ApprovalKeys | undefined {
  // Tools in the entry itself have the names that the server lists.
  const listed = (level: Approved): string[] => toolsOf(level).map((tool) => tool.replace(/\W/g, '_'));
  if (toolsIn !== undefined) return (level) => ({ set: { [toolsIn]: listed(level) }, drop: [] });
  if (allBy === undefined) return undefined;
  const [key, value] = allBy;
  return (level) => (level === 'all' ? { set: { [key]: value }, drop: [] } : { set: {}, drop: [key] });
}
