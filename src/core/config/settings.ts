import { logFormats, logLevels } from '../log.ts';
import { choice, flag, integer, list, optional, type Schema, text, type ValuesOf } from '../schema/schema.ts';

/**
 * One setting and every way to give it. In `repertoire.toml` its key is its name in snake_case. Its description is in
 * `descriptions.ts`, which a start does not load.
 */
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
const line = optional(text(undefined, { blank: false }));

/** The schema of a list of texts; a file may give a single one. */
const many = list(text(), undefined, { default: [], single: true });

const on = flag(undefined, { default: true });
const off = flag(undefined, { default: false });

/** The schema of one of several words. */
const oneOf = <const T extends string>(choices: readonly T[], fallback: NoInfer<T>) =>
  choice(choices, undefined, { default: fallback });

/** The schema of a whole number. */
const between = (min: number, max: number, fallback: number) => integer(undefined, { min, max, default: fallback });

const rows = {
  skillDirs: {
    option: 'skill-dir',
    variable: 'REPERTOIRE_SKILL_DIRS',
    isPath: true,
    value: 'PATH',
    completes: 'path',
    schema: many,
  },
  root: {
    option: 'root',
    variable: 'REPERTOIRE_ROOT',
    isPath: true,
    value: 'PATH',
    completes: 'path',
    schema: line,
  },
  trustedProjects: {
    option: 'trusted-project',
    variable: 'REPERTOIRE_TRUSTED_PROJECTS',
    isPath: true,
    userOnly: true,
    value: 'PATH',
    completes: 'path',
    schema: many,
  },
  include: {
    option: 'include',
    variable: 'REPERTOIRE_INCLUDE',
    value: 'TOKENS',
    completes: 'provider',
    schema: many,
  },
  exclude: {
    option: 'exclude',
    variable: 'REPERTOIRE_EXCLUDE',
    value: 'TOKENS',
    completes: 'provider',
    schema: many,
  },
  disabled: {
    option: null,
    variable: 'REPERTOIRE_DISABLED',
    value: 'SKILLS',
    unites: true,
    schema: many,
  },
  skipPlugins: {
    option: 'no-plugins',
    variable: 'REPERTOIRE_SKIP_PLUGINS',
    switchTo: true,
    schema: off,
  },
  scanDefaultDirs: {
    option: 'no-scan-default-dirs',
    variable: 'REPERTOIRE_SCAN_DEFAULT_DIRS',
    switchTo: false,
    schema: on,
  },
  pluginsFile: {
    option: 'plugins-file',
    variable: 'REPERTOIRE_PLUGINS_FILE',
    isPath: true,
    value: 'PATH',
    completes: 'path',
    schema: line,
  },
  pluginsRoot: {
    option: 'plugins-root',
    variable: 'REPERTOIRE_PLUGINS_ROOT',
    isPath: true,
    value: 'PATH',
    completes: 'path',
    schema: line,
  },
  onDuplicate: {
    option: 'on-duplicate',
    variable: 'REPERTOIRE_ON_DUPLICATE',
    value: 'WHAT',
    schema: oneOf(['error', 'first'], 'error'),
  },
  remotes: {
    option: 'remotes',
    variable: 'REPERTOIRE_REMOTES',
    userOnly: true,
    value: 'WHICH',
    schema: oneOf(['kept', 'follow', 'off'], 'kept'),
  },
  cluster: {
    option: 'cluster',
    variable: 'REPERTOIRE_CLUSTER',
    userOnly: true,
    value: 'URL',
    schema: line,
  },
  clusterName: {
    option: 'cluster-name',
    variable: 'REPERTOIRE_CLUSTER_NAME',
    userOnly: true,
    value: 'NAME',
    schema: text(undefined, { blank: false, default: 'repertoire' }),
  },
  clusterChannel: {
    option: 'cluster-channel',
    variable: 'REPERTOIRE_CLUSTER_CHANNEL',
    userOnly: true,
    value: 'NAME',
    schema: text(undefined, { blank: false, default: 'stable' }),
  },
  clusterCredentials: {
    option: 'cluster-credentials',
    variable: 'REPERTOIRE_CLUSTER_CREDENTIALS',
    userOnly: true,
    isPath: true,
    value: 'PATH',
    completes: 'path',
    schema: line,
  },
  clusterCa: {
    option: 'cluster-ca',
    variable: 'REPERTOIRE_CLUSTER_CA',
    userOnly: true,
    isPath: true,
    value: 'PATH',
    completes: 'path',
    schema: line,
  },
  embeddingsUrl: {
    option: 'embeddings-url',
    variable: 'REPERTOIRE_EMBEDDINGS_URL',
    group: 'search',
    userOnly: true,
    value: 'URL',
    schema: line,
  },
  embeddingsModel: {
    option: 'embeddings-model',
    variable: 'REPERTOIRE_EMBEDDINGS_MODEL',
    group: 'search',
    userOnly: true,
    value: 'NAME',
    schema: line,
  },
  embeddingsKey: {
    option: null,
    variable: 'REPERTOIRE_EMBEDDINGS_KEY',
    group: 'search',
    userOnly: true,
    isSecret: true,
    value: 'KEY',
    schema: line,
  },
  autoRefresh: {
    option: 'no-refresh',
    variable: 'REPERTOIRE_AUTO_REFRESH',
    switchTo: false,
    group: 'server',
    schema: on,
  },
  refreshInterval: {
    option: 'refresh-interval',
    variable: 'REPERTOIRE_REFRESH_INTERVAL',
    group: 'server',
    value: 'MS',
    schema: between(100, 86_400_000, 30_000),
  },
  tools: {
    option: 'tools',
    variable: 'REPERTOIRE_TOOLS',
    group: 'server',
    value: 'NAMES',
    schema: many,
  },
  toolNames: {
    option: 'tool-names',
    variable: 'REPERTOIRE_TOOL_NAMES',
    group: 'server',
    value: 'WHICH',
    schema: oneOf(['documented', 'portable'], 'documented'),
  },
  catalogBudget: {
    option: 'catalog-budget',
    variable: 'REPERTOIRE_CATALOG_BUDGET',
    group: 'server',
    value: 'CHARS',
    schema: between(0, 10_000_000, 16_000),
  },
  header: {
    option: 'header',
    variable: 'REPERTOIRE_HEADER',
    group: 'server',
    value: 'WHICH',
    schema: oneOf(['full', 'loading'], 'full'),
  },
  structured: {
    option: 'structured',
    variable: 'REPERTOIRE_STRUCTURED',
    switchTo: true,
    group: 'server',
    schema: off,
  },
  filePart: {
    option: 'file-part',
    variable: 'REPERTOIRE_FILE_PART',
    group: 'server',
    value: 'CHARS',
    schema: between(1000, 1_000_000, 8000),
  },
  errors: {
    option: 'errors',
    variable: 'REPERTOIRE_ERRORS',
    group: 'server',
    value: 'HOW',
    schema: oneOf(['result', 'protocol'], 'result'),
  },
  detachAfter: {
    option: 'detach-after',
    variable: 'REPERTOIRE_DETACH_AFTER',
    group: 'server',
    value: 'MS',
    schema: between(100, 86_400_000, 50_000),
  },
  unsafeNoSandbox: {
    option: 'unsafe-no-sandbox',
    variable: 'REPERTOIRE_UNSAFE_NO_SANDBOX',
    switchTo: true,
    group: 'run',
    userOnly: true,
    schema: off,
  },
  executions: {
    option: 'executions',
    variable: 'REPERTOIRE_EXECUTIONS',
    group: 'run',
    userOnly: true,
    value: 'WHERE',
    schema: oneOf(['local', 'cluster'], 'local'),
  },
  wasmEngine: {
    option: 'wasm-engine',
    variable: 'REPERTOIRE_WASM_ENGINE',
    group: 'run',
    userOnly: true,
    value: 'WHICH',
    schema: oneOf(['node', 'wasmtime'], 'node'),
  },
  wasmIsolation: {
    option: 'wasm-isolation',
    variable: 'REPERTOIRE_WASM_ISOLATION',
    group: 'run',
    userOnly: true,
    value: 'HOW',
    schema: oneOf(['sandbox', 'memory'], 'sandbox'),
  },
  containerRuntime: {
    option: 'container-runtime',
    variable: 'REPERTOIRE_CONTAINER_RUNTIME',
    group: 'run',
    userOnly: true,
    value: 'NAME',
    schema: line,
  },
  auditStrict: {
    option: 'audit-strict',
    variable: 'REPERTOIRE_AUDIT_STRICT',
    switchTo: true,
    group: 'run',
    userOnly: true,
    schema: off,
  },
  scan: {
    option: null,
    variable: 'REPERTOIRE_SCAN',
    group: 'run',
    userOnly: true,
    value: 'WHEN',
    schema: oneOf(['off', 'add', 'run'], 'add'),
  },
  activity: {
    option: 'no-activity',
    variable: 'REPERTOIRE_ACTIVITY',
    switchTo: false,
    group: 'notes',
    userOnly: true,
    schema: on,
  },
  keepOutput: {
    option: 'no-keep-output',
    variable: 'REPERTOIRE_KEEP_OUTPUT',
    switchTo: false,
    group: 'notes',
    userOnly: true,
    schema: on,
  },
  offline: {
    option: 'offline',
    variable: 'REPERTOIRE_OFFLINE',
    switchTo: true,
    group: 'notes',
    userOnly: true,
    schema: off,
  },
  grantsOverHttp: {
    option: 'grants-over-http',
    variable: 'REPERTOIRE_GRANTS_OVER_HTTP',
    switchTo: true,
    group: 'server',
    userOnly: true,
    schema: off,
  },
  shareRemote: {
    option: 'share-remote',
    variable: 'REPERTOIRE_SHARE_REMOTE',
    switchTo: true,
    group: 'server',
    userOnly: true,
    schema: off,
  },
  transport: {
    option: 'transport',
    variable: 'REPERTOIRE_TRANSPORT',
    group: 'server',
    userOnly: true,
    value: 'HOW',
    schema: oneOf(['stdio', 'http', 'sse'], 'stdio'),
  },
  host: {
    option: 'host',
    variable: 'REPERTOIRE_HOST',
    group: 'server',
    userOnly: true,
    value: 'ADDRESS',
    schema: text(undefined, {
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
    schema: between(0, 65_535, 3000),
  },
  authToken: {
    option: 'auth-token',
    variable: 'REPERTOIRE_TOKEN',
    group: 'server',
    userOnly: true,
    isSecret: true,
    value: 'TOKEN',
    schema: line,
  },
  authTokenFile: {
    option: 'auth-token-file',
    variable: 'REPERTOIRE_TOKEN_FILE',
    isPath: true,
    group: 'server',
    userOnly: true,
    value: 'PATH',
    completes: 'path',
    schema: line,
  },
  oauthIssuer: {
    option: 'oauth-issuer',
    variable: 'REPERTOIRE_OAUTH_ISSUER',
    group: 'server',
    userOnly: true,
    value: 'URL',
    schema: line,
  },
  oauthAudience: {
    option: 'oauth-audience',
    variable: 'REPERTOIRE_OAUTH_AUDIENCE',
    group: 'server',
    userOnly: true,
    value: 'NAME',
    schema: many,
  },
  oauthGroupsClaim: {
    option: 'oauth-groups-claim',
    variable: 'REPERTOIRE_OAUTH_GROUPS_CLAIM',
    group: 'server',
    userOnly: true,
    value: 'NAME',
    schema: text(undefined, { blank: false, default: 'groups' }),
  },
  accessFile: {
    option: 'access-file',
    variable: 'REPERTOIRE_ACCESS_FILE',
    group: 'server',
    isPath: true,
    userOnly: true,
    value: 'PATH',
    completes: 'path',
    schema: line,
  },
  publicUrl: {
    option: 'public-url',
    variable: 'REPERTOIRE_PUBLIC_URL',
    group: 'server',
    userOnly: true,
    value: 'URL',
    schema: line,
  },
  allowedHosts: {
    option: 'allowed-host',
    variable: 'REPERTOIRE_ALLOWED_HOSTS',
    group: 'server',
    userOnly: true,
    value: 'NAME',
    schema: many,
  },
  allowedOrigins: {
    option: 'allowed-origin',
    variable: 'REPERTOIRE_ALLOWED_ORIGINS',
    group: 'server',
    userOnly: true,
    value: 'ORIGIN',
    schema: many,
  },
  sessionTimeout: {
    option: 'session-timeout',
    variable: 'REPERTOIRE_SESSION_TIMEOUT',
    group: 'server',
    userOnly: true,
    value: 'MS',
    schema: between(100, 604_800_000, 1_800_000),
  },
  console: {
    option: 'console',
    variable: 'REPERTOIRE_CONSOLE',
    group: 'server',
    userOnly: true,
    value: 'WHAT',
    schema: optional(choice(['full', 'read', 'off'])),
  },
  logLevel: {
    option: 'log-level',
    variable: 'REPERTOIRE_LOG_LEVEL',
    group: 'server',
    value: 'LEVEL',
    schema: oneOf(logLevels, 'info'),
  },
  logFormat: {
    option: 'log-format',
    variable: 'REPERTOIRE_LOG_FORMAT',
    group: 'server',
    value: 'FORMAT',
    schema: oneOf(logFormats, 'text'),
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
