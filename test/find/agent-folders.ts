/** Where each agent keeps its skills: below a project, and below home. Written down apart from the program's own table. */
export interface AgentFolders {
  readonly provider: string;
  readonly project: readonly string[];
  readonly global: readonly string[];
}

const apart: readonly AgentFolders[] = [
  { provider: 'copilot', project: ['.github/skills'], global: ['.copilot/skills'] },
  {
    provider: 'opencode',
    project: ['.opencode/skill', '.opencode/skills'],
    global: ['.config/opencode/skill', '.config/opencode/skills'],
  },
  { provider: 'goose', project: ['.goose/skills'], global: ['.config/goose/skills'] },
  {
    provider: 'roo',
    project: ['.roo/skills-code', '.roo/skills'],
    global: ['.roo/skills-architect', '.roo/skills'],
  },
  {
    provider: 'kilo',
    project: ['.kilo/skills', '.kilocode/skills'],
    global: ['.kilo/skills', '.kilocode/skills'],
  },
  { provider: 'pi', project: ['.pi/skills'], global: ['.pi/agent/skills'] },
  { provider: 'windsurf', project: ['.windsurf/skills'], global: ['.codeium/windsurf/skills'] },
  {
    provider: 'antigravity',
    project: [],
    global: ['.gemini/antigravity/skills', '.gemini/antigravity-cli/skills'],
  },
  { provider: 'trae', project: ['.trae/skills'], global: ['.trae/skills', '.trae-cn/skills'] },
  { provider: 'qoder', project: ['.qoder/skills'], global: ['.qoder/skills', '.qoder-cn/skills'] },
  { provider: 'cortex', project: ['.cortex/skills'], global: ['.snowflake/cortex/skills'] },
  { provider: 'crush', project: ['.crush/skills'], global: ['.config/crush/skills'] },
  { provider: 'devin', project: ['.devin/skills'], global: ['.config/devin/skills'] },
  { provider: 'cline', project: ['.cline/skills', '.clinerules/skills'], global: ['.cline/skills'] },
  { provider: 'kimi', project: ['.kimi-code/skills'], global: ['.kimi-code/skills'] },
  { provider: 'kimchi', project: ['.kimchi/skills'], global: ['.config/kimchi/harness/skills'] },
  { provider: 'astrbot', project: ['data/skills'], global: ['.astrbot/data/skills'] },
  { provider: 'eve', project: ['agent/skills'], global: [] },
  { provider: 'deepagents', project: [], global: ['.deepagents/agent/skills'] },
  { provider: 'firebender', project: [], global: ['.firebender/skills'] },
];

/** Agents whose folder has one path, in a project and at home. */
const alike: Readonly<Record<string, string>> = {
  adal: '.adal',
  'aider-desk': '.aider-desk',
  augment: '.augment',
  autohand: '.autohand',
  bob: '.bob',
  codeartsdoer: '.codeartsdoer',
  codebuddy: '.codebuddy',
  codemaker: '.codemaker',
  codestudio: '.codestudio',
  commandcode: '.commandcode',
  continue: '.continue',
  cursor: '.cursor',
  factory: '.factory',
  forge: '.forge',
  gemini: '.gemini',
  grok: '.grok',
  hermes: '.hermes',
  iflow: '.iflow',
  inferencesh: '.inferencesh',
  jazz: '.jazz',
  junie: '.junie',
  kiro: '.kiro',
  kode: '.kode',
  lingma: '.lingma',
  mcpjam: '.mcpjam',
  minimax: '.minimax',
  moxby: '.moxby',
  mux: '.mux',
  neovate: '.neovate',
  ona: '.ona',
  openclaw: '.openclaw',
  openhands: '.openhands',
  pochi: '.pochi',
  posit: '.posit/assistant',
  qwen: '.qwen',
  reasonix: '.reasonix',
  rovodev: '.rovodev',
  tabnine: '.tabnine/agent',
  terramind: '.terramind',
  tinycloud: '.tinycloud',
  vibe: '.vibe',
  zcode: '.zcode',
  zencoder: '.zencoder',
};

/** Every agent but Claude Code, Codex and the shared folders. */
export const otherAgents: readonly AgentFolders[] = [
  ...apart,
  ...Object.entries(alike).map(([provider, folder]) => ({
    provider,
    project: [`${folder}/skills`],
    global: [`${folder}/skills`],
  })),
];
