import type { Environment } from '../kernel/environment.ts';
import { below, movable, xdgDir } from '../kernel/paths.ts';

/** One agent and the folders in which it keeps skills. */
export interface Agent {
  /** The provider name that its skills carry. */
  readonly name: string;
  /** Other spellings people know, accepted wherever a provider is named. */
  readonly aliases?: readonly string[];
  /** Relative to each project folder. A `*` at the end stands for any ending. */
  readonly project: readonly string[];
  readonly global: readonly GlobalFolder[];
}

/** Below a base folder: home, the XDG configuration folder, the machine's own, or one that a variable moves. */
type Base = 'home' | 'config' | 'system' | { readonly variable: string; readonly fallback: string };
type GlobalFolder = readonly [Base, string];

const home = (path: string): GlobalFolder => ['home', path];
const config = (path: string): GlobalFolder => ['config', path];
const moved = (name: string, fallback: string, path = 'skills'): GlobalFolder => [{ variable: name, fallback }, path];

/** Agents whose folder has the same path in a project and at home. */
function pair(name: string, folder = `.${name}`, aliases: readonly string[] = []): Agent {
  return { name, aliases, project: [`${folder}/skills`], global: [home(`${folder}/skills`)] };
}

/** The cross-client folders. They outrank every agent's own. */
export const sharedAgent: Agent = {
  name: 'agents',
  aliases: ['agent', 'universal', 'amp', 'replit'],
  project: ['.agent/skills', '.agents/skills'],
  global: [home('.agent/skills'), home('.agents/skills'), config('agents/skills')],
};

/** Every other agent, in the order of their rank. */
export const agents: readonly Agent[] = [
  {
    name: 'claude',
    aliases: ['claude-code'],
    project: ['.claude/skills'],
    global: [moved('CLAUDE_CONFIG_DIR', '.claude')],
  },
  {
    name: 'codex',
    project: ['.codex/skills'],
    global: [moved('CODEX_HOME', '.codex'), ['system', 'codex/skills']],
  },
  pair('cursor'),
  pair('gemini', '.gemini', ['gemini-cli']),
  {
    name: 'copilot',
    aliases: ['github-copilot', 'vscode'],
    project: ['.github/skills'],
    global: [home('.copilot/skills')],
  },
  {
    name: 'opencode',
    project: ['.opencode/skill', '.opencode/skills'],
    global: [config('opencode/skill'), config('opencode/skills')],
  },
  { name: 'goose', project: ['.goose/skills'], global: [config('goose/skills')] },
  { name: 'openclaw', aliases: ['clawdbot'], project: ['.openclaw/skills'], global: [home('.openclaw/skills')] },
  {
    name: 'roo',
    aliases: ['roo-code'],
    project: ['.roo/skills-*', '.roo/skills'],
    global: [home('.roo/skills-*'), home('.roo/skills')],
  },
  {
    name: 'kilo',
    aliases: ['kilocode'],
    project: ['.kilo/skills', '.kilocode/skills'],
    global: [home('.kilo/skills'), home('.kilocode/skills')],
  },
  { name: 'pi', project: ['.pi/skills'], global: [home('.pi/agent/skills')] },
  pair('factory', '.factory', ['droid']),
  { name: 'windsurf', project: ['.windsurf/skills'], global: [home('.codeium/windsurf/skills')] },
  {
    name: 'antigravity',
    project: [],
    global: [home('.gemini/antigravity/skills'), home('.gemini/antigravity-cli/skills')],
  },
  { name: 'trae', project: ['.trae/skills'], global: [home('.trae/skills'), home('.trae-cn/skills')] },
  { name: 'qoder', project: ['.qoder/skills'], global: [home('.qoder/skills'), home('.qoder-cn/skills')] },
  { name: 'cortex', project: ['.cortex/skills'], global: [home('.snowflake/cortex/skills')] },
  { name: 'crush', project: ['.crush/skills'], global: [config('crush/skills')] },
  { name: 'devin', project: ['.devin/skills'], global: [config('devin/skills')] },
  { name: 'kimchi', project: ['.kimchi/skills'], global: [config('kimchi/harness/skills')] },
  { name: 'vibe', project: ['.vibe/skills'], global: [moved('VIBE_HOME', '.vibe')] },
  { name: 'hermes', project: ['.hermes/skills'], global: [moved('HERMES_HOME', '.hermes')] },
  { name: 'grok', project: ['.grok/skills'], global: [moved('GROK_HOME', '.grok')] },
  { name: 'autohand', project: ['.autohand/skills'], global: [moved('AUTOHAND_HOME', '.autohand')] },
  { name: 'astrbot', project: ['data/skills'], global: [home('.astrbot/data/skills')] },
  { name: 'eve', project: ['agent/skills'], global: [] },
  { name: 'deepagents', project: [], global: [home('.deepagents/agent/skills')] },
  { name: 'firebender', project: [], global: [home('.firebender/skills')] },
  { name: 'cline', project: ['.cline/skills', '.clinerules/skills'], global: [home('.cline/skills')] },
  pair('kimi', '.kimi-code', ['kimi-code']),
  pair('qwen', '.qwen', ['qwen-code']),
  pair('posit', '.posit/assistant'),
  pair('tabnine', '.tabnine/agent'),
  ...[
    'adal',
    'aider-desk',
    'augment',
    'bob',
    'codeartsdoer',
    'codebuddy',
    'codemaker',
    'codestudio',
    'commandcode',
    'continue',
    'forge',
    'iflow',
    'inferencesh',
    'jazz',
    'junie',
    'kiro',
    'kode',
    'lingma',
    'mcpjam',
    'minimax',
    'moxby',
    'mux',
    'neovate',
    'ona',
    'openhands',
    'pochi',
    'reasonix',
    'rovodev',
    'terramind',
    'tinycloud',
    'zcode',
    'zencoder',
  ].map((name) => pair(name)),
];

const canonical = new Map(
  [sharedAgent, ...agents].flatMap((agent) => [agent.name, ...(agent.aliases ?? [])].map((name) => [name, agent.name])),
);

/** The provider that a name or alias stands for, if it is one we know. */
export function knownProvider(name: string): string | undefined {
  return name === 'file' ? name : canonical.get(name);
}

export function globalPath([base, path]: GlobalFolder, environment: Environment): string {
  if (base === 'home') return below(environment.home, path);
  if (base === 'config') return below(xdgDir(environment, 'CONFIG'), path);
  if (base === 'system') return below(environment.systemDir, path);
  return below(movable(environment, base.variable, base.fallback), path);
}
