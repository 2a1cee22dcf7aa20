import { moved } from './rows.ts';
import { type Approval, type ApprovalKeys, type Approved, approvalLevels } from './types.ts';

/** What only looks at skills, and what runs their tools: the tools of `serve`, as they are documented. */
export const ourTools: Readonly<Record<'looking' | 'running', readonly string[]>> = {
  looking: ['skill', 'skills.list', 'skills.search', 'skill-engine/list_skills', 'skill-engine/search_skills'],
  running: ['skill-engine/execute'],
};

function toolsOf(level: Approved): readonly string[] {
  return level === 'all' ? [...ourTools.looking, ...ourTools.running] : ourTools.looking;
}

const portable = (tool: string): string => tool.replace(/\W/g, '_');

/** One switch for all tools of a server. */
function wholesale(key: string, value: string | boolean): ApprovalKeys {
  return (level) => (level === 'all' ? { set: { [key]: value }, drop: [] } : { set: {}, drop: [key] });
}

/** Names of tools in the entry itself, as the server lists them. */
const autoApprove: ApprovalKeys = (level) => ({ set: { autoApprove: toolsOf(level).map(portable) }, drop: [] });

/** How Claude Code calls a tool in its rules; over HTTP either spelling may be listed. */
function claudeRules(server: string, level: Approved): readonly string[] {
  const spellings = toolsOf(level).flatMap((tool) => [tool.replace(/[^\w-]/g, '_'), portable(tool)]);
  return [...new Set(spellings)].map((tool) => `mcp__${server}__${tool}`);
}

const onlyAll = 'Its file approves all tools of a server or none.';

/** What agents ask before they call a tool of ours, and how they are told not to. Seen in the agents in November 2026. */
export const approvals = {
  claude: {
    asks: 'Claude Code asks before it calls a tool, also to load a skill.',
    levels: approvalLevels,
    rules: {
      global: moved('CLAUDE_CONFIG_DIR', '.claude', 'settings.json'),
      // Never the file for all projects: the same name in the file of any other project would be approved too.
      project: '.claude/settings.local.json',
      lists: (server, scope, level) => [
        ...(scope === 'project' ? [{ at: ['enabledMcpjsonServers'], items: [server] }] : []),
        { at: ['permissions', 'allow'], items: claudeRules(server, level) },
      ],
    },
  },
  codex: {
    asks: 'Codex loads and searches without asking. Before it runs a tool of a skill it asks, and codex exec refuses.',
    unasked: 'read',
    levels: ['all'],
    keys: wholesale('default_tools_approval_mode', 'approve'),
  },
  gemini: {
    asks: `Gemini CLI asks before it calls a tool, and gemini -p lists none that it would ask about. ${onlyAll}`,
    levels: ['all'],
    keys: wholesale('trust', true),
  },
  qwen: {
    asks: `Qwen Code asks before it calls a tool, and qwen -p refuses those it would ask about. ${onlyAll}`,
    levels: ['all'],
    keys: wholesale('trust', true),
  },
  copilot: {
    asks: 'Copilot CLI loads and searches without asking. Before it runs a tool of a skill it asks, and copilot -p refuses.',
    unasked: 'read',
    levels: [],
    command: (server) => `copilot --allow-tool=${server}`,
  },
  kiro: {
    asks: 'Kiro asks before it calls a tool, also to load a skill.',
    levels: approvalLevels,
    keys: autoApprove,
  },
  cline: {
    asks: 'Cline asks before it calls a tool, also to load a skill.',
    levels: approvalLevels,
    keys: autoApprove,
  },
} as const satisfies Readonly<Record<string, Approval>>;
