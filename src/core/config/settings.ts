import { logFormats, logLevels } from '../log.ts';
import { choice, flag, integer, list, optional, type Schema, text, type ValuesOf } from '../schema/schema.ts';

/** One setting and every way to give it. In `repertoire.toml` its key is its name in snake_case. */
export interface Setting {
  /** The values it may have, and its default. */
  readonly schema: Schema;
  /** The command line's option, without the dashes; null where there is none, because others can see options. */
  readonly option: string | null;
  readonly variable: string;
  /** The name of the value in help, as in `--root PATH`. */
  readonly value?: string;
  /** The kind of values that a shell should complete. */
  readonly completes?: 'path' | 'provider';
  /** The value that its switch sets: `--no-plugins` means `skipPlugins: true`. */
  readonly switchTo?: boolean;
  /** Whether it is a path. Paths in a file are relative to that file, and elsewhere to the working directory. */
  readonly isPath?: true;
  /**
   * The area that it affects: how skills are searched, how tools are run, what is logged, or a server. None: which
   * skills are seen.
   */
  readonly group?: 'search' | 'run' | 'notes' | 'server';
  /**
   * Whether it opens the machine to others, or sends what is on it to them: never read from a project's file, which
   * comes with whatever was checked out.
   */
  readonly userOnly?: true;
  /** Whether it is never shown. */
  readonly isSecret?: true;
  /** Whether every source adds to the list, in place of the strongest alone setting it. */
  readonly unites?: true;
}

/** The schema of an optional text. */
const line = (description: string) => optional(text(description, { blank: false }));

/** The schema of a list of texts; a file may give a single one. */
const many = (description: string) => list(text(), description, { default: [], single: true });

const rows = {
  skillDirs: {
    option: 'skill-dir',
    variable: 'REPERTOIRE_SKILL_DIRS',
    isPath: true,
    value: 'PATH',
    completes: 'path',
    schema: many(
      'Search this folder too, at any depth, before all others; repeatable. PATH?scope=NAME names its provider.',
    ),
  },
  root: {
    option: 'root',
    variable: 'REPERTOIRE_ROOT',
    isPath: true,
    value: 'PATH',
    completes: 'path',
    schema: line('Search this folder of the project instead of ./skills.'),
  },
  trustedProjects: {
    option: 'trusted-project',
    variable: 'REPERTOIRE_TRUSTED_PROJECTS',
    isPath: true,
    userOnly: true,
    value: 'PATH',
    completes: 'path',
    schema: many('Read the project files below this folder whoever owns them; repeatable. / means everywhere.'),
  },
  include: {
    option: 'include',
    variable: 'REPERTOIRE_INCLUDE',
    value: 'TOKENS',
    completes: 'provider',
    schema: many(
      'Only these: all, auto, a provider, provider:name, @plugins, @plugin:skill, project, global, file:path, a name or glob.',
    ),
  },
  exclude: {
    option: 'exclude',
    variable: 'REPERTOIRE_EXCLUDE',
    value: 'TOKENS',
    completes: 'provider',
    schema: many('All but these; the same tokens as --include.'),
  },
  disabled: {
    option: null,
    variable: 'REPERTOIRE_DISABLED',
    value: 'SKILLS',
    unites: true,
    schema: many(
      'Skills that nobody loads or runs, by name or by real folder; AGENT=SKILL for one agent alone. repertoire disable writes it.',
    ),
  },
  skipPlugins: {
    option: 'no-plugins',
    variable: 'REPERTOIRE_SKIP_PLUGINS',
    switchTo: true,
    schema: flag('Leave out the skills of installed plugins.', { default: false }),
  },
  scanDefaultDirs: {
    option: 'no-scan-default-dirs',
    variable: 'REPERTOIRE_SCAN_DEFAULT_DIRS',
    switchTo: false,
    schema: flag("Leave out ./skills and every agent's own folders; named folders and plugins remain.", {
      default: true,
    }),
  },
  pluginsFile: {
    option: 'plugins-file',
    variable: 'REPERTOIRE_PLUGINS_FILE',
    isPath: true,
    value: 'PATH',
    completes: 'path',
    schema: line("Read this instead of Claude Code's installed_plugins.json."),
  },
  pluginsRoot: {
    option: 'plugins-root',
    variable: 'REPERTOIRE_PLUGINS_ROOT',
    isPath: true,
    value: 'PATH',
    completes: 'path',
    schema: line("Take this as Claude Code's plugins folder."),
  },
  onDuplicate: {
    option: 'on-duplicate',
    variable: 'REPERTOIRE_ON_DUPLICATE',
    value: 'WHAT',
    schema: choice(
      ['error', 'first'],
      'What to do when a name means several skills: fail, or take the one in the higher root.',
      { default: 'error' },
    ),
  },
  remotes: {
    option: 'remotes',
    variable: 'REPERTOIRE_REMOTES',
    userOnly: true,
    value: 'WHICH',
    schema: choice(
      ['kept', 'follow', 'off'],
      'Skills of remotes: those kept from the last refresh, the same with servers refreshing them every ten minutes, or none.',
      { default: 'kept' },
    ),
  },
  embeddingsUrl: {
    option: 'embeddings-url',
    variable: 'REPERTOIRE_EMBEDDINGS_URL',
    group: 'search',
    userOnly: true,
    value: 'URL',
    schema: line(
      'Get embeddings from this service (OpenAI format) instead of the built-in model. It is sent the text of skills.',
    ),
  },
  embeddingsModel: {
    option: 'embeddings-model',
    variable: 'REPERTOIRE_EMBEDDINGS_MODEL',
    group: 'search',
    userOnly: true,
    value: 'NAME',
    schema: line('The model to request from --embeddings-url.'),
  },
  embeddingsKey: {
    option: null,
    variable: 'REPERTOIRE_EMBEDDINGS_KEY',
    group: 'search',
    userOnly: true,
    isSecret: true,
    value: 'KEY',
    schema: line('The bearer token for --embeddings-url.'),
  },
  autoRefresh: {
    option: 'no-refresh',
    variable: 'REPERTOIRE_AUTO_REFRESH',
    switchTo: false,
    group: 'server',
    schema: flag('Never rescan the disk after the first scan.', { default: true }),
  },
  refreshInterval: {
    option: 'refresh-interval',
    variable: 'REPERTOIRE_REFRESH_INTERVAL',
    group: 'server',
    value: 'MS',
    schema: integer('Rescan the disk this often, in milliseconds.', { min: 100, max: 86_400_000, default: 30_000 }),
  },
  tools: {
    option: 'tools',
    variable: 'REPERTOIRE_TOOLS',
    group: 'server',
    value: 'NAMES',
    schema: many('Offer only these tools: skill,skills.search,…'),
  },
  toolNames: {
    option: 'tool-names',
    variable: 'REPERTOIRE_TOOL_NAMES',
    group: 'server',
    value: 'WHICH',
    schema: choice(
      ['documented', 'portable'],
      'How tools are listed: skills.list, or skills_list for clients that accept only letters, digits and _. Calls may use either.',
      { default: 'documented' },
    ),
  },
  catalogBudget: {
    option: 'catalog-budget',
    variable: 'REPERTOIRE_CATALOG_BUDGET',
    group: 'server',
    value: 'CHARS',
    schema: integer(
      "How long the list of skills in the skill tool's description may get before it is shortened; 0 for no limit.",
      { min: 0, max: 10_000_000, default: 16_000 },
    ),
  },
  header: {
    option: 'header',
    variable: 'REPERTOIRE_HEADER',
    group: 'server',
    value: 'WHICH',
    schema: choice(
      ['full', 'loading'],
      'What precedes a loaded skill: everything known about it, or only its name and folder.',
      { default: 'full' },
    ),
  },
  structured: {
    option: 'structured',
    variable: 'REPERTOIRE_STRUCTURED',
    switchTo: true,
    group: 'server',
    schema: flag(
      'Answer calls of skill and skill-engine/execute with structuredContent beside the text. Some agents show models only that, others both.',
      { default: false },
    ),
  },
  filePart: {
    option: 'file-part',
    variable: 'REPERTOIRE_FILE_PART',
    group: 'server',
    value: 'CHARS',
    schema: integer('How long the answer with one part of a supporting file may get, in characters (8000).', {
      min: 1000,
      max: 1_000_000,
      default: 8000,
    }),
  },
  errors: {
    option: 'errors',
    variable: 'REPERTOIRE_ERRORS',
    group: 'server',
    value: 'HOW',
    schema: choice(
      ['result', 'protocol'],
      'Report a failed execution in the result of the call, or as the error -32603 (-32602 where there is no such skill or tool, or the parameters are wrong).',
      { default: 'result' },
    ),
  },
  detachAfter: {
    option: 'detach-after',
    variable: 'REPERTOIRE_DETACH_AFTER',
    group: 'server',
    value: 'MS',
    schema: integer(
      'Answer with a job to ask about later when an execution takes longer than this, in milliseconds (50000).',
      { min: 100, max: 86_400_000, default: 50_000 },
    ),
  },
  unsafeNoSandbox: {
    option: 'unsafe-no-sandbox',
    variable: 'REPERTOIRE_UNSAFE_NO_SANDBOX',
    switchTo: true,
    group: 'run',
    userOnly: true,
    schema: flag('Run tools without any sandbox, with all of your own permissions. This is audited.', {
      default: false,
    }),
  },
  wasmEngine: {
    option: 'wasm-engine',
    variable: 'REPERTOIRE_WASM_ENGINE',
    group: 'run',
    userOnly: true,
    value: 'WHICH',
    schema: choice(['node', 'wasmtime'], 'What runs WebAssembly inside the sandbox; wasmtime must be installed.', {
      default: 'node',
    }),
  },
  wasmIsolation: {
    option: 'wasm-isolation',
    variable: 'REPERTOIRE_WASM_ISOLATION',
    group: 'run',
    userOnly: true,
    value: 'HOW',
    schema: choice(
      ['sandbox', 'memory'],
      "Where WebAssembly modules run: in the system's sandbox, or in a plain process with files in memory only, which is weaker.",
      { default: 'sandbox' },
    ),
  },
  containerRuntime: {
    option: 'container-runtime',
    variable: 'REPERTOIRE_CONTAINER_RUNTIME',
    group: 'run',
    userOnly: true,
    value: 'NAME',
    schema: line('The runtime that the container engine is to use, such as runsc (gVisor); it must know it.'),
  },
  auditStrict: {
    option: 'audit-strict',
    variable: 'REPERTOIRE_AUDIT_STRICT',
    switchTo: true,
    group: 'run',
    userOnly: true,
    schema: flag('Sync each audit record to disk before continuing, so that a power failure loses none.', {
      default: false,
    }),
  },
  scan: {
    option: null,
    variable: 'REPERTOIRE_SCAN',
    group: 'run',
    userOnly: true,
    value: 'WHEN',
    schema: choice(
      ['off', 'add', 'run'],
      'When skills are scanned: never, which lets those in quarantine out, too; when they are added, updated or granted something; or before every run as well.',
      { default: 'add' },
    ),
  },
  activity: {
    option: 'no-activity',
    variable: 'REPERTOIRE_ACTIVITY',
    switchTo: false,
    group: 'notes',
    userOnly: true,
    schema: flag('Do not log what is searched for and loaded.', { default: true }),
  },
  keepOutput: {
    option: 'no-keep-output',
    variable: 'REPERTOIRE_KEEP_OUTPUT',
    switchTo: false,
    group: 'notes',
    userOnly: true,
    schema: flag('Do not keep the output of tools that a server runs.', {
      default: true,
    }),
  },
  offline: {
    option: 'offline',
    variable: 'REPERTOIRE_OFFLINE',
    switchTo: true,
    group: 'notes',
    userOnly: true,
    schema: flag('Ask nothing of other machines: what needs them is refused.', { default: false }),
  },
  grantsOverHttp: {
    option: 'grants-over-http',
    variable: 'REPERTOIRE_GRANTS_OVER_HTTP',
    switchTo: true,
    group: 'server',
    userOnly: true,
    schema: flag('Ask clients over HTTP for grants too. Any of them can then grant a skill what it asks for.', {
      default: false,
    }),
  },
  shareRemote: {
    option: 'share-remote',
    variable: 'REPERTOIRE_SHARE_REMOTE',
    switchTo: true,
    group: 'server',
    userOnly: true,
    schema: flag('Serve the skills of remotes on to clients over HTTP.', { default: false }),
  },
  transport: {
    option: 'transport',
    variable: 'REPERTOIRE_TRANSPORT',
    group: 'server',
    userOnly: true,
    value: 'HOW',
    schema: choice(
      ['stdio', 'http', 'sse'],
      'Speak over stdin and stdout, over streamable HTTP at /mcp, or over HTTP with server-sent events.',
      { default: 'stdio' },
    ),
  },
  host: {
    option: 'host',
    variable: 'REPERTOIRE_HOST',
    group: 'server',
    userOnly: true,
    value: 'ADDRESS',
    schema: text('The address to listen on (127.0.0.1). Beyond this machine a token is required.', {
      blank: false,
      default: '127.0.0.1',
    }),
  },
  port: {
    option: 'port',
    variable: 'REPERTOIRE_PORT',
    group: 'server',
    userOnly: true,
    value: 'N',
    schema: integer('The port to listen on (3000); 0 for any.', { min: 0, max: 65_535, default: 3000 }),
  },
  authToken: {
    option: 'auth-token',
    variable: 'REPERTOIRE_TOKEN',
    group: 'server',
    userOnly: true,
    isSecret: true,
    value: 'TOKEN',
    schema: line(
      'Answer only requests that carry this bearer token. Other users can see options: prefer --auth-token-file.',
    ),
  },
  authTokenFile: {
    option: 'auth-token-file',
    variable: 'REPERTOIRE_TOKEN_FILE',
    isPath: true,
    group: 'server',
    userOnly: true,
    value: 'PATH',
    completes: 'path',
    schema: line('Read that token from this file.'),
  },
  oauthIssuer: {
    option: 'oauth-issuer',
    variable: 'REPERTOIRE_OAUTH_ISSUER',
    group: 'server',
    userOnly: true,
    value: 'URL',
    schema: line('Accept access tokens of this OAuth authorization server.'),
  },
  oauthAudience: {
    option: 'oauth-audience',
    variable: 'REPERTOIRE_OAUTH_AUDIENCE',
    group: 'server',
    userOnly: true,
    value: 'NAME',
    schema: many('A further audience of access tokens, besides the URL that clients use.'),
  },
  publicUrl: {
    option: 'public-url',
    variable: 'REPERTOIRE_PUBLIC_URL',
    group: 'server',
    userOnly: true,
    value: 'URL',
    schema: line('The URL that clients use for /mcp, where it differs: behind a proxy.'),
  },
  allowedHosts: {
    option: 'allowed-host',
    variable: 'REPERTOIRE_ALLOWED_HOSTS',
    group: 'server',
    userOnly: true,
    value: 'NAME',
    schema: many('A further host name that requests may be addressed to.'),
  },
  allowedOrigins: {
    option: 'allowed-origin',
    variable: 'REPERTOIRE_ALLOWED_ORIGINS',
    group: 'server',
    userOnly: true,
    value: 'ORIGIN',
    schema: many('A further web page, as https://host, that may send requests.'),
  },
  sessionTimeout: {
    option: 'session-timeout',
    variable: 'REPERTOIRE_SESSION_TIMEOUT',
    group: 'server',
    userOnly: true,
    value: 'MS',
    schema: integer('End an HTTP session that has been idle for this long, in milliseconds (1800000).', {
      min: 100,
      max: 604_800_000,
      default: 1_800_000,
    }),
  },
  console: {
    option: 'console',
    variable: 'REPERTOIRE_CONSOLE',
    group: 'server',
    userOnly: true,
    value: 'WHAT',
    schema: optional(
      choice(
        ['full', 'read', 'off'],
        'The web console at / when serving over HTTP: full access, read-only, or off. Default: full on this machine, otherwise read.',
      ),
    ),
  },
  logLevel: {
    option: 'log-level',
    variable: 'REPERTOIRE_LOG_LEVEL',
    group: 'server',
    value: 'LEVEL',
    schema: choice(logLevels, 'How much to write to stderr.', { default: 'info' }),
  },
  logFormat: {
    option: 'log-format',
    variable: 'REPERTOIRE_LOG_FORMAT',
    group: 'server',
    value: 'FORMAT',
    schema: choice(logFormats, 'Log lines for people or for programs.', { default: 'text' }),
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof rows;
export const settings: { readonly [K in SettingName]: Setting } = rows;
export const settingNames = Object.keys(rows) as readonly SettingName[];

type Values = ValuesOf<{ readonly [K in SettingName]: (typeof rows)[K]['schema'] }>;

/** Everything that can be configured. The names are those of the library's options. */
export type Settings = { readonly [K in SettingName]: Values[K] };

/** Settings that decide which skills are seen; every command takes them. */
export const commonSettings = settingsIn(undefined);
/** Settings of whatever runs tools: the command for it, and the servers. */
export const runSettings = settingsIn('run');
/** Settings of search; every command takes them, so that all of them search in the same way. */
export const searchSettings = settingsIn('search');
/** Settings of the activity log; every command takes them, since each may log what it does. */
export const noteSettings = settingsIn('notes');
/** Settings of the servers alone. */
export const serverSettings = settingsIn('server');

function settingsIn(group: Setting['group']): readonly SettingName[] {
  return settingNames.filter((name) => settings[name].group === group);
}

/** The key of a setting in a configuration file. */
export function fileKey(name: SettingName): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
