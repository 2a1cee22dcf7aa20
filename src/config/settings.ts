import type { Field } from '../kernel/fields.ts';
import { type LogFormat, type LogLevel, logFormats, logLevels } from '../kernel/log.ts';

/** Everything that can be configured. The names are those of the library's options. */
export interface Settings {
  readonly skillDirs: readonly string[];
  readonly root: string | undefined;
  readonly trustedProjects: readonly string[];
  readonly scanDefaultDirs: boolean;
  readonly skipPlugins: boolean;
  readonly pluginsFile: string | undefined;
  readonly pluginsRoot: string | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly onDuplicate: 'error' | 'first';
  readonly embeddingsUrl: string | undefined;
  readonly embeddingsModel: string | undefined;
  readonly embeddingsKey: string | undefined;
  readonly autoRefresh: boolean;
  readonly refreshInterval: number;
  readonly tools: readonly string[];
  readonly toolNames: 'documented' | 'portable';
  readonly catalogBudget: number;
  readonly header: 'full' | 'loading';
  readonly structured: boolean;
  readonly filePart: number;
  readonly errors: 'result' | 'protocol';
  readonly detachAfter: number;
  readonly wasmEngine: 'node' | 'wasmtime';
  readonly wasmIsolation: 'sandbox' | 'memory';
  readonly containerRuntime: string | undefined;
  readonly unsafeNoSandbox: boolean;
  readonly grantsOverHttp: boolean;
  readonly auditStrict: boolean;
  readonly activity: boolean;
  readonly transport: 'stdio' | 'http' | 'sse';
  readonly host: string;
  readonly port: number;
  readonly authToken: string | undefined;
  readonly authTokenFile: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly sessionTimeout: number;
  readonly console: 'full' | 'read' | 'off' | undefined;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}

export type SettingName = keyof Settings;

/** One setting and every way to give it. In `repertoire.toml` its key is its name in snake_case. */
export interface Setting {
  readonly field: Field;
  /** The command line's option, without the dashes; null where there is none, because others can see options. */
  readonly option: string | null;
  readonly variable: string;
  readonly fallback: Settings[SettingName];
  /** A switch that turns the setting to this value: `--no-plugins` means `skipPlugins: true`. */
  readonly switchTo?: boolean;
  /** Paths in a file are relative to that file, and elsewhere to the working directory. */
  readonly isPath?: true;
  /** Changes how skills are searched, and not which are seen. */
  readonly searchOnly?: true;
  /** Changes how tools are run, and not which are seen. */
  readonly runOnly?: true;
  /** Changes what is written down, and not which are seen. */
  readonly notesOnly?: true;
  /** Only a server has a use for it. */
  readonly serverOnly?: true;
  /**
   * Opens the machine to others, or sends what is on it to them: never read from a project's file, which comes with
   * whatever was checked out.
   */
  readonly userOnly?: true;
  /** Never shown. */
  readonly isSecret?: true;
}

export const settings: { readonly [K in SettingName]: Setting } = {
  skillDirs: {
    option: 'skill-dir',
    variable: 'REPERTOIRE_SKILL_DIRS',
    fallback: [],
    isPath: true,
    field: {
      kind: 'list',
      value: 'PATH',
      description:
        'Search this folder too, at any depth, before all others; repeatable. PATH?scope=NAME names its provider.',
      completes: 'path',
    },
  },
  root: {
    option: 'root',
    variable: 'REPERTOIRE_ROOT',
    fallback: undefined,
    isPath: true,
    field: {
      kind: 'text',
      value: 'PATH',
      description: 'Search this folder of the project instead of ./skills.',
      completes: 'path',
    },
  },
  trustedProjects: {
    option: 'trusted-project',
    variable: 'REPERTOIRE_TRUSTED_PROJECTS',
    fallback: [],
    isPath: true,
    userOnly: true,
    field: {
      kind: 'list',
      value: 'PATH',
      description: 'Read the project files below this folder whoever owns them; repeatable. / means everywhere.',
      completes: 'path',
    },
  },
  include: {
    option: 'include',
    variable: 'REPERTOIRE_INCLUDE',
    fallback: [],
    field: {
      kind: 'list',
      value: 'TOKENS',
      description:
        'Only these: all, auto, a provider, provider:name, @plugins, @plugin:skill, project, global, file:path, a name or glob.',
      completes: 'provider',
    },
  },
  exclude: {
    option: 'exclude',
    variable: 'REPERTOIRE_EXCLUDE',
    fallback: [],
    field: {
      kind: 'list',
      value: 'TOKENS',
      description: 'All but these; the same tokens as --include.',
      completes: 'provider',
    },
  },
  skipPlugins: {
    option: 'no-plugins',
    variable: 'REPERTOIRE_SKIP_PLUGINS',
    fallback: false,
    switchTo: true,
    field: { kind: 'switch', description: 'Leave out the skills of installed plugins.' },
  },
  scanDefaultDirs: {
    option: 'no-scan-default-dirs',
    variable: 'REPERTOIRE_SCAN_DEFAULT_DIRS',
    fallback: true,
    switchTo: false,
    field: {
      kind: 'switch',
      description: "Leave out ./skills and every agent's own folders; named folders and plugins remain.",
    },
  },
  pluginsFile: {
    option: 'plugins-file',
    variable: 'REPERTOIRE_PLUGINS_FILE',
    fallback: undefined,
    isPath: true,
    field: {
      kind: 'text',
      value: 'PATH',
      description: "Read this instead of Claude Code's installed_plugins.json.",
      completes: 'path',
    },
  },
  pluginsRoot: {
    option: 'plugins-root',
    variable: 'REPERTOIRE_PLUGINS_ROOT',
    fallback: undefined,
    isPath: true,
    field: {
      kind: 'text',
      value: 'PATH',
      description: "Take this as Claude Code's plugins folder.",
      completes: 'path',
    },
  },
  onDuplicate: {
    option: 'on-duplicate',
    variable: 'REPERTOIRE_ON_DUPLICATE',
    fallback: 'error',
    field: {
      kind: 'choice',
      value: 'WHAT',
      choices: ['error', 'first'],
      description: 'What to do when a name means several skills: fail, or take the one in the higher root.',
    },
  },
  embeddingsUrl: {
    option: 'embeddings-url',
    variable: 'REPERTOIRE_EMBEDDINGS_URL',
    fallback: undefined,
    searchOnly: true,
    userOnly: true,
    field: {
      kind: 'text',
      value: 'URL',
      description:
        'Get embeddings from this service (OpenAI format) instead of the built-in model. It is sent the text of skills.',
    },
  },
  embeddingsModel: {
    option: 'embeddings-model',
    variable: 'REPERTOIRE_EMBEDDINGS_MODEL',
    fallback: undefined,
    searchOnly: true,
    userOnly: true,
    field: { kind: 'text', value: 'NAME', description: 'The model to request from --embeddings-url.' },
  },
  embeddingsKey: {
    option: null,
    variable: 'REPERTOIRE_EMBEDDINGS_KEY',
    fallback: undefined,
    searchOnly: true,
    userOnly: true,
    isSecret: true,
    field: { kind: 'text', value: 'KEY', description: 'The bearer token for --embeddings-url.' },
  },
  autoRefresh: {
    option: 'no-refresh',
    variable: 'REPERTOIRE_AUTO_REFRESH',
    fallback: true,
    switchTo: false,
    serverOnly: true,
    field: { kind: 'switch', description: 'Never rescan the disk after the first scan.' },
  },
  refreshInterval: {
    option: 'refresh-interval',
    variable: 'REPERTOIRE_REFRESH_INTERVAL',
    fallback: 30_000,
    serverOnly: true,
    field: {
      kind: 'integer',
      value: 'MS',
      min: 100,
      max: 86_400_000,
      description: 'Rescan the disk this often, in milliseconds.',
    },
  },
  tools: {
    option: 'tools',
    variable: 'REPERTOIRE_TOOLS',
    fallback: [],
    serverOnly: true,
    field: { kind: 'list', value: 'NAMES', description: 'Offer only these tools: skill,skills.search,…' },
  },
  toolNames: {
    option: 'tool-names',
    variable: 'REPERTOIRE_TOOL_NAMES',
    fallback: 'documented',
    serverOnly: true,
    field: {
      kind: 'choice',
      value: 'WHICH',
      choices: ['documented', 'portable'],
      description:
        'How tools are listed: skills.list, or skills_list for clients that accept only letters, digits and _. Calls may use either.',
    },
  },
  catalogBudget: {
    option: 'catalog-budget',
    variable: 'REPERTOIRE_CATALOG_BUDGET',
    fallback: 16_000,
    serverOnly: true,
    field: {
      kind: 'integer',
      value: 'CHARS',
      min: 0,
      max: 10_000_000,
      description:
        "How long the list of skills in the skill tool's description may get before it is shortened; 0 for no limit.",
    },
  },
  header: {
    option: 'header',
    variable: 'REPERTOIRE_HEADER',
    fallback: 'full',
    serverOnly: true,
    field: {
      kind: 'choice',
      value: 'WHICH',
      choices: ['full', 'loading'],
      description: 'What precedes a loaded skill: everything known about it, or only its name and folder.',
    },
  },
  structured: {
    option: 'structured',
    variable: 'REPERTOIRE_STRUCTURED',
    fallback: false,
    switchTo: true,
    serverOnly: true,
    field: {
      kind: 'switch',
      description:
        'Answer calls of skill and skill-engine/execute with structuredContent beside the text. Some agents show models only that, others both.',
    },
  },
  filePart: {
    option: 'file-part',
    variable: 'REPERTOIRE_FILE_PART',
    fallback: 8000,
    serverOnly: true,
    field: {
      kind: 'integer',
      value: 'CHARS',
      min: 1000,
      max: 1_000_000,
      description: 'How long the answer with one part of a supporting file may get, in characters (8000).',
    },
  },
  errors: {
    option: 'errors',
    variable: 'REPERTOIRE_ERRORS',
    fallback: 'result',
    serverOnly: true,
    field: {
      kind: 'choice',
      value: 'HOW',
      choices: ['result', 'protocol'],
      description:
        'Report a failed execution in the result of the call, or as the error -32603 (-32602 where there is no such skill or tool, or the parameters are wrong).',
    },
  },
  detachAfter: {
    option: 'detach-after',
    variable: 'REPERTOIRE_DETACH_AFTER',
    fallback: 50_000,
    serverOnly: true,
    field: {
      kind: 'integer',
      value: 'MS',
      min: 100,
      max: 86_400_000,
      description:
        'Answer with a job to ask about later when an execution takes longer than this, in milliseconds (50000).',
    },
  },
  unsafeNoSandbox: {
    option: 'unsafe-no-sandbox',
    variable: 'REPERTOIRE_UNSAFE_NO_SANDBOX',
    fallback: false,
    switchTo: true,
    runOnly: true,
    userOnly: true,
    field: {
      kind: 'switch',
      description: 'Run tools without any sandbox, with all of your own permissions. This is audited.',
    },
  },
  wasmEngine: {
    option: 'wasm-engine',
    variable: 'REPERTOIRE_WASM_ENGINE',
    fallback: 'node',
    runOnly: true,
    userOnly: true,
    field: {
      kind: 'choice',
      value: 'WHICH',
      choices: ['node', 'wasmtime'],
      description: 'What runs WebAssembly inside the sandbox; wasmtime must be installed.',
    },
  },
  wasmIsolation: {
    option: 'wasm-isolation',
    variable: 'REPERTOIRE_WASM_ISOLATION',
    fallback: 'sandbox',
    runOnly: true,
    userOnly: true,
    field: {
      kind: 'choice',
      value: 'HOW',
      choices: ['sandbox', 'memory'],
      description:
        "Where WebAssembly modules run: in the system's sandbox, or in a plain process with files in memory only, which is weaker.",
    },
  },
  containerRuntime: {
    option: 'container-runtime',
    variable: 'REPERTOIRE_CONTAINER_RUNTIME',
    fallback: undefined,
    runOnly: true,
    userOnly: true,
    field: {
      kind: 'text',
      value: 'NAME',
      description: 'The runtime that the container engine is to use, such as runsc (gVisor); it must know it.',
    },
  },
  auditStrict: {
    option: 'audit-strict',
    variable: 'REPERTOIRE_AUDIT_STRICT',
    fallback: false,
    switchTo: true,
    runOnly: true,
    userOnly: true,
    field: {
      kind: 'switch',
      description: 'Sync each audit record to disk before continuing, so that a power failure loses none.',
    },
  },
  activity: {
    option: 'no-activity',
    variable: 'REPERTOIRE_ACTIVITY',
    fallback: true,
    switchTo: false,
    notesOnly: true,
    userOnly: true,
    field: { kind: 'switch', description: 'Do not log what is searched for and loaded.' },
  },
  grantsOverHttp: {
    option: 'grants-over-http',
    variable: 'REPERTOIRE_GRANTS_OVER_HTTP',
    fallback: false,
    switchTo: true,
    serverOnly: true,
    userOnly: true,
    field: {
      kind: 'switch',
      description: 'Ask clients over HTTP for grants too. Any of them can then grant a skill what it asks for.',
    },
  },
  transport: {
    option: 'transport',
    variable: 'REPERTOIRE_TRANSPORT',
    fallback: 'stdio',
    serverOnly: true,
    userOnly: true,
    field: {
      kind: 'choice',
      value: 'HOW',
      choices: ['stdio', 'http', 'sse'],
      description: 'Speak over stdin and stdout, over streamable HTTP at /mcp, or over HTTP with server-sent events.',
    },
  },
  host: {
    option: 'host',
    variable: 'REPERTOIRE_HOST',
    fallback: '127.0.0.1',
    serverOnly: true,
    userOnly: true,
    field: {
      kind: 'text',
      value: 'ADDRESS',
      description: 'The address to listen on (127.0.0.1). Beyond this machine a token is required.',
    },
  },
  port: {
    option: 'port',
    variable: 'REPERTOIRE_PORT',
    fallback: 3000,
    serverOnly: true,
    userOnly: true,
    field: {
      kind: 'integer',
      value: 'N',
      min: 0,
      max: 65_535,
      description: 'The port to listen on (3000); 0 for any.',
    },
  },
  authToken: {
    option: 'auth-token',
    variable: 'REPERTOIRE_TOKEN',
    fallback: undefined,
    serverOnly: true,
    userOnly: true,
    isSecret: true,
    field: {
      kind: 'text',
      value: 'TOKEN',
      description:
        'Answer only requests that carry this bearer token. Other users can see options: prefer --auth-token-file.',
    },
  },
  authTokenFile: {
    option: 'auth-token-file',
    variable: 'REPERTOIRE_TOKEN_FILE',
    fallback: undefined,
    isPath: true,
    serverOnly: true,
    userOnly: true,
    field: {
      kind: 'text',
      value: 'PATH',
      description: 'Read that token from this file.',
      completes: 'path',
    },
  },
  allowedHosts: {
    option: 'allowed-host',
    variable: 'REPERTOIRE_ALLOWED_HOSTS',
    fallback: [],
    serverOnly: true,
    userOnly: true,
    field: { kind: 'list', value: 'NAME', description: 'A further host name that requests may be addressed to.' },
  },
  allowedOrigins: {
    option: 'allowed-origin',
    variable: 'REPERTOIRE_ALLOWED_ORIGINS',
    fallback: [],
    serverOnly: true,
    userOnly: true,
    field: {
      kind: 'list',
      value: 'ORIGIN',
      description: 'A further web page, as https://host, that may send requests.',
    },
  },
  sessionTimeout: {
    option: 'session-timeout',
    variable: 'REPERTOIRE_SESSION_TIMEOUT',
    fallback: 1_800_000,
    serverOnly: true,
    userOnly: true,
    field: {
      kind: 'integer',
      value: 'MS',
      min: 100,
      max: 604_800_000,
      description: 'End an HTTP session that has been idle for this long, in milliseconds (1800000).',
    },
  },
  console: {
    option: 'console',
    variable: 'REPERTOIRE_CONSOLE',
    fallback: undefined,
    serverOnly: true,
    userOnly: true,
    field: {
      kind: 'choice',
      value: 'WHAT',
      choices: ['full', 'read', 'off'],
      description:
        'The web console at / when serving over HTTP: full access, read-only, or off. Default: full on this machine, otherwise read.',
    },
  },
  logLevel: {
    option: 'log-level',
    variable: 'REPERTOIRE_LOG_LEVEL',
    fallback: 'info',
    serverOnly: true,
    field: { kind: 'choice', value: 'LEVEL', choices: logLevels, description: 'How much to write to stderr.' },
  },
  logFormat: {
    option: 'log-format',
    variable: 'REPERTOIRE_LOG_FORMAT',
    fallback: 'text',
    serverOnly: true,
    field: {
      kind: 'choice',
      value: 'FORMAT',
      choices: logFormats,
      description: 'Log lines for people or for programs.',
    },
  },
};

export const settingNames = Object.keys(settings) as readonly SettingName[];

/** Those by which skills are seen or not; every command takes them. */
export const commonSettings = settingNames.filter(
  (name) =>
    settings[name].serverOnly === undefined &&
    settings[name].searchOnly === undefined &&
    settings[name].notesOnly === undefined &&
    settings[name].runOnly === undefined,
);
/** Options of what runs tools: the command for it, and the servers. */
export const runSettings = settingNames.filter((name) => settings[name].runOnly === true);
/** Every command takes these too, so that whatever searches does so in the same way. */
export const searchSettings = settingNames.filter((name) => settings[name].searchOnly === true);
/** And these: what is done may be written down by each of them. */
export const noteSettings = settingNames.filter((name) => settings[name].notesOnly === true);
/** Options of the servers alone. */
export const serverSettings = settingNames.filter((name) => settings[name].serverOnly === true);

/** The key of a setting in a configuration file. */
export function fileKey(name: SettingName): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
