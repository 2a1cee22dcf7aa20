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

/** A setting without what follows from the rest of it. */
type Row = Omit<Setting, 'option' | 'variable'> & Partial<Pick<Setting, 'option' | 'variable'>>;

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
  skillDirs: { option: 'skill-dir', isPath: true, schema: many },
  root: { isPath: true, schema: line },
  trustedProjects: { option: 'trusted-project', isPath: true, userOnly: true, schema: many },
  include: { value: 'TOKENS', completes: 'provider', schema: many },
  exclude: { value: 'TOKENS', completes: 'provider', schema: many },
  disabled: { option: null, value: 'SKILLS', unites: true, schema: many },
  skipPlugins: { option: 'no-plugins', switchTo: true, schema: off },
  scanDefaultDirs: { option: 'no-scan-default-dirs', switchTo: false, schema: on },
  pluginsFile: { isPath: true, schema: line },
  pluginsRoot: { isPath: true, schema: line },
  onDuplicate: { value: 'WHAT', schema: oneOf(['error', 'first'], 'error') },
  remotes: { userOnly: true, value: 'WHICH', schema: oneOf(['kept', 'follow', 'off'], 'kept') },
  cluster: { userOnly: true, value: 'URL', schema: line },
  clusterName: { userOnly: true, value: 'NAME', schema: text(undefined, { blank: false, default: 'repertoire' }) },
  clusterChannel: { userOnly: true, value: 'NAME', schema: text(undefined, { blank: false, default: 'stable' }) },
  clusterCredentials: { userOnly: true, isPath: true, schema: line },
  clusterCa: { userOnly: true, isPath: true, schema: line },
  embeddingsUrl: { group: 'search', userOnly: true, value: 'URL', schema: line },
  embeddingsModel: { group: 'search', userOnly: true, value: 'NAME', schema: line },
  embeddingsKey: { option: null, group: 'search', userOnly: true, isSecret: true, value: 'KEY', schema: line },
  autoRefresh: { option: 'no-refresh', switchTo: false, group: 'server', schema: on },
  refreshInterval: { group: 'server', value: 'MS', schema: between(100, 86_400_000, 30_000) },
  tools: { group: 'server', value: 'NAMES', schema: many },
  toolNames: { group: 'server', value: 'WHICH', schema: oneOf(['documented', 'portable'], 'documented') },
  catalogBudget: { group: 'server', value: 'CHARS', schema: between(0, 10_000_000, 16_000) },
  header: { group: 'server', value: 'WHICH', schema: oneOf(['full', 'loading'], 'full') },
  structured: { switchTo: true, group: 'server', schema: off },
  filePart: { group: 'server', value: 'CHARS', schema: between(1000, 1_000_000, 8000) },
  errors: { group: 'server', value: 'HOW', schema: oneOf(['result', 'protocol'], 'result') },
  detachAfter: { group: 'server', value: 'MS', schema: between(100, 86_400_000, 50_000) },
  maxPerSubject: { group: 'server', userOnly: true, value: 'N', schema: between(0, 100_000, 0) },
  unsafeNoSandbox: { switchTo: true, group: 'run', userOnly: true, schema: off },
  executions: { group: 'run', userOnly: true, value: 'WHERE', schema: oneOf(['local', 'cluster'], 'local') },
  wasmEngine: { group: 'run', userOnly: true, value: 'WHICH', schema: oneOf(['node', 'wasmtime'], 'node') },
  wasmIsolation: { group: 'run', userOnly: true, value: 'HOW', schema: oneOf(['sandbox', 'memory'], 'sandbox') },
  containerRuntime: { group: 'run', userOnly: true, value: 'NAME', schema: line },
  auditStrict: { switchTo: true, group: 'run', userOnly: true, schema: off },
  scan: { option: null, group: 'run', userOnly: true, value: 'WHEN', schema: oneOf(['off', 'add', 'run'], 'add') },
  activity: { option: 'no-activity', switchTo: false, group: 'notes', userOnly: true, schema: on },
  keepOutput: { option: 'no-keep-output', switchTo: false, group: 'notes', userOnly: true, schema: on },
  offline: { switchTo: true, group: 'notes', userOnly: true, schema: off },
  grantsOverHttp: { switchTo: true, group: 'server', userOnly: true, schema: off },
  shareRemote: { switchTo: true, group: 'server', userOnly: true, schema: off },
  transport: { group: 'server', userOnly: true, value: 'HOW', schema: oneOf(['stdio', 'http', 'sse'], 'stdio') },
  host: {
    group: 'server',
    userOnly: true,
    value: 'ADDRESS',
    schema: text(undefined, {
      blank: false,
      default: '127.0.0.1',
    }),
  },
  port: { group: 'server', userOnly: true, value: 'N', schema: between(0, 65_535, 3000) },
  authToken: {
    variable: 'REPERTOIRE_TOKEN',
    group: 'server',
    userOnly: true,
    isSecret: true,
    value: 'TOKEN',
    schema: line,
  },
  authTokenFile: { variable: 'REPERTOIRE_TOKEN_FILE', isPath: true, group: 'server', userOnly: true, schema: line },
  oauthIssuer: { group: 'server', userOnly: true, value: 'URL', schema: line },
  oauthAudience: { group: 'server', userOnly: true, value: 'NAME', schema: many },
  oauthGroupsClaim: {
    group: 'server',
    userOnly: true,
    value: 'NAME',
    schema: text(undefined, { blank: false, default: 'groups' }),
  },
  accessFile: { isPath: true, group: 'server', userOnly: true, schema: line },
  oauthClientId: { group: 'server', userOnly: true, value: 'NAME', schema: line },
  oauthClientSecret: { option: null, group: 'server', userOnly: true, isSecret: true, value: 'SECRET', schema: line },
  publicUrl: { group: 'server', userOnly: true, value: 'URL', schema: line },
  trustedProxies: { option: 'trusted-proxy', group: 'server', userOnly: true, value: 'ADDRESS', schema: many },
  basePath: { group: 'server', userOnly: true, value: 'PATH', schema: text(undefined, { default: '' }) },
  tlsCert: { isPath: true, group: 'server', userOnly: true, schema: line },
  tlsKey: { isPath: true, group: 'server', userOnly: true, schema: line },
  allowedHosts: { option: 'allowed-host', group: 'server', userOnly: true, value: 'NAME', schema: many },
  allowedOrigins: { option: 'allowed-origin', group: 'server', userOnly: true, value: 'ORIGIN', schema: many },
  sessionTimeout: { group: 'server', userOnly: true, value: 'MS', schema: between(100, 604_800_000, 1_800_000) },
  console: { group: 'server', userOnly: true, value: 'WHAT', schema: optional(choice(['full', 'read', 'off'])) },
  otlpEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    group: 'server',
    userOnly: true,
    value: 'URL',
    schema: line,
  },
  logLevel: { group: 'server', value: 'LEVEL', schema: oneOf(logLevels, 'info') },
  logFormat: { group: 'server', value: 'FORMAT', schema: oneOf(logFormats, 'text') },
} as const satisfies Readonly<Record<string, Row>>;

export type SettingName = keyof typeof rows;
export const settingNames = Object.keys(rows) as readonly SettingName[];
export const settings = Object.fromEntries(settingNames.map((name) => [name, completed(name, rows[name])])) as {
  readonly [K in SettingName]: Setting;
};

/** Completes a row: option and variable are called after the setting unless it says otherwise. */
function completed(name: SettingName, row: Row): Setting {
  const key = fileKey(name);
  return {
    option: key.replaceAll('_', '-'),
    variable: `REPERTOIRE_${key.toUpperCase()}`,
    ...(row.isPath && { value: 'PATH', completes: 'path' }),
    ...row,
  };
}

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
