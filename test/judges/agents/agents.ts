import { fileURLToPath } from 'node:url';
import type { World } from '../../support/world.ts';

/** An agent, as its users install and start it. */
export interface Agent {
  /** As `repertoire setup` and `repertoire doctor --agent` call it; also the folder of its package. */
  readonly id: AgentId;
  readonly name: string;
  /** The program, below its `node_modules`. */
  readonly program: string;
  /** Whether the program is a script for Node. */
  readonly isScript?: true;
  /** How one conversation is started that asks no person anything. */
  args(prompt: string, model: string, more: readonly string[]): readonly string[];
  /** Arguments with which it waits for our server. */
  readonly wait?: readonly string[];
  /** What a person types to have a skill loaded, where the agent offers prompts of servers. */
  readonly slash?: (skill: string) => string;
  /** Whether it lists the tools anew, within a conversation, when the server says that they have changed. */
  readonly relists?: true;
  env(model: string): Readonly<Record<string, string>>;
  /** What its user would have done before: chosen a way to sign in, for instance. */
  prepare?(world: World): void;
}

export const agentIds = ['claude-code', 'codex', 'gemini-cli', 'opencode'] as const;
export type AgentId = (typeof agentIds)[number];

export const packages = fileURLToPath(new URL('packages', import.meta.url));
const platform = `${process.platform}-${process.arch}`;

const table: Readonly<Record<AgentId, Omit<Agent, 'id'>>> = {
  'claude-code': {
    name: 'Claude Code',
    program: `@anthropic-ai/claude-code-${platform}/claude`,
    args: (prompt, _model, more) => ['-p', ...more, '--', prompt],
    slash: (skill) => `/mcp__repertoire__${skill}`,
    env: (model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Otherwise it does not wait for servers to connect; a person types later than that.
      MCP_CONNECTION_NONBLOCKING: 'false',
    }),
  },
  codex: {
    name: 'Codex',
    program: '@openai/codex/bin/codex.js',
    isScript: true,
    args: (prompt, model, more) => {
      const settings = {
        model: 'gpt-5.2-codex',
        model_provider: 'played',
        'model_providers.played.name': 'played',
        'model_providers.played.base_url': `${model}/v1`,
        'model_providers.played.wire_api': 'responses',
        'model_providers.played.env_key': 'NO_KEY',
      };
      const options = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${JSON.stringify(value)}`]);
      return ['exec', '--skip-git-repo-check', ...options, ...more, prompt];
    },
    // Otherwise the first request goes out at once, with the tools of those servers that are ready.
    wait: ['-c', 'mcp_servers.repertoire.required=true'],
    env: () => ({ NO_KEY: 'none' }),
  },
  'gemini-cli': {
    name: 'Gemini CLI',
    program: '@google/gemini-cli/bundle/gemini.js',
    isScript: true,
    args: (prompt, _model, more) => ['--skip-trust', '-m', 'gemini-2.5-flash', ...more, '-p', prompt],
    slash: (skill) => `/${skill}`,
    relists: true,
    env: (model) => ({ GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'none' }),
    prepare: (world) =>
      void world.writeJson('home/.gemini/settings.json', { security: { auth: { selectedType: 'gemini-api-key' } } }),
  },
  opencode: {
    name: 'opencode',
    program: `opencode-${platform}/bin/opencode`,
    args: (prompt, _model, more) => ['run', '--model', 'played/model', ...more, prompt],
    relists: true,
    env: (model) => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          played: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${model}/v1`, apiKey: 'none' },
            models: {
              model: {
                limit: { context: 200_000, output: 8000 },
                attachment: true,
                modalities: { input: ['text', 'image'], output: ['text'] },
              },
            },
          },
        },
      }),
    }),
  },
};

export const agents = Object.fromEntries(agentIds.map((id) => [id, { id, ...table[id] }])) as Record<AgentId, Agent>;

/** The file of an agent's program. */
export function programOf({ id, program }: Agent): string {
  return `${packages}/${id}/node_modules/${program}`;
}
