import type { Approved, Approving } from '../../agents/types.ts';
import { type Approval, type ApprovalKeys, approvalLevels } from './types.ts';

/** What only looks at skills, and what runs their tools: the tools of `serve`, as they are documented. */
export const ourTools: Readonly<Record<'looking' | 'running', readonly string[]>> = {
  looking: ['skill', 'skills.list', 'skills.search', 'skill-engine/list_skills', 'skill-engine/search_skills'],
  running: ['skill-engine/execute'],
};

function toolsOf(level: Approved): readonly string[] {
  return level === 'all' ? [...ourTools.looking, ...ourTools.running] : ourTools.looking;
}

/** How an agent is told not to ask, for each of the levels that its files can approve. */
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
  // Names of tools in the entry itself, as the server lists them.
  const listed = (level: Approved): string[] => toolsOf(level).map((tool) => tool.replace(/\W/g, '_'));
  if (toolsIn !== undefined) return (level) => ({ set: { [toolsIn]: listed(level) }, drop: [] });
  if (allBy === undefined) return undefined;
  const [key, value] = allBy;
  return (level) => (level === 'all' ? { set: { [key]: value }, drop: [] } : { set: {}, drop: [key] });
}
