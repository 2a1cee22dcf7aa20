import type { Field } from '../kernel/fields.ts';

/** Everything that can be configured. The names are those of the library's options. */
export interface Settings {
  readonly skillDirs: readonly string[];
  readonly root: string | undefined;
  readonly scanDefaultDirs: boolean;
  readonly skipPlugins: boolean;
  readonly pluginsFile: string | undefined;
  readonly pluginsRoot: string | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly onDuplicate: 'error' | 'first';
  readonly autoRefresh: boolean;
  readonly refreshInterval: number;
}

export type SettingName = keyof Settings;

/** One setting and every way to give it. In `repertoire.toml` its key is its name in snake_case. */
export interface Setting {
  readonly field: Field;
  /** The command line's option, without the dashes. */
  readonly option: string;
  readonly variable: string;
  readonly fallback: Settings[SettingName];
  /** A switch that turns the setting to this value: `--no-plugins` means `skipPlugins: true`. */
  readonly switchTo?: boolean;
  /** Paths in a file are relative to that file, and elsewhere to the working directory. */
  readonly isPath?: true;
  /** Only a server has a use for it. */
  readonly serverOnly?: true;
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
    field: { kind: 'text', value: 'PATH', description: 'Search this folder in place of ./skills.', completes: 'path' },
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
      description: "Read this in place of Claude Code's installed_plugins.json.",
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
  autoRefresh: {
    option: 'no-refresh',
    variable: 'REPERTOIRE_AUTO_REFRESH',
    fallback: true,
    switchTo: false,
    serverOnly: true,
    field: { kind: 'switch', description: 'Never look at the disk again after the first scan.' },
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
      description: 'Look at the disk again this often, in milliseconds.',
    },
  },
};

export const settingNames = Object.keys(settings) as readonly SettingName[];

/** Those that mean something to a command, and so can be set by option, variable and file. */
export const commandSettings = settingNames.filter((name) => settings[name].serverOnly === undefined);

/** The key of a setting in a configuration file. */
export function fileKey(name: SettingName): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
