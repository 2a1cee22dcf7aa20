import type { Entry, Launch, Remote, Shape, Values, Variables } from './types.ts';

/** The ways in which files name variables of the environment. */
const styles = {
  /** `${NAME}` */
  braces: { write: (name) => `\${${name}}`, pattern: /\$\{(\w+)\}/g },
  /** `${env:NAME}` */
  envBraces: { write: (name) => `\${env:${name}}`, pattern: /\$\{env:(\w+)\}/g },
  /** `{env:NAME}` */
  bareBraces: { write: (name) => `{env:${name}}`, pattern: /\{env:(\w+)\}/g },
  /** The name alone, in a key of its own; in other texts nothing stands for a variable. */
  ownKey: { write: (name) => name, pattern: /(?!)/g },
} as const satisfies Record<string, Variables>;

/** What makes an entry one of a process, and what makes it one of an address, in any of the files. */
const processKeys = ['command', 'args', 'env', 'cmd', 'envs', 'environment', 'cwd'];
const addressKeys = ['url', 'httpUrl', 'serverUrl', 'uri', 'headers', 'http_headers', 'env_http_headers'];
const tokenKeys = ['bearer_token_env_var', 'env_keys'];

function processEntry(set: Values, defaults: Values = {}): Entry {
  return { kind: 'process', set, defaults, drop: [...addressKeys, ...tokenKeys].filter((key) => !(key in set)) };
}

function addressEntry(set: Values, defaults: Values = {}): Entry {
  return { kind: 'address', set, defaults, drop: processKeys.filter((key) => !(key in set)) };
}

/** The header that carries the token, where the file can take it from a variable. */
function headersFor({ tokenVariable }: Remote, variables: Variables | null): Values {
  if (tokenVariable === null || variables === null) return {};
  return { headers: { Authorization: `Bearer ${variables.write(tokenVariable)}` } };
}

interface Plain {
  /** What else stands in an entry of a process, and in one of an address. */
  readonly process?: Values;
  readonly address?: Values;
  readonly defaults?: Values;
  /** The key of the address; null where the file knows none. */
  readonly urlKey: 'url' | 'httpUrl' | 'serverUrl' | null;
  readonly variables: Variables | null;
}

/** A command and its arguments, apart: what most files have. */
function plain({ process = {}, address = {}, defaults = {}, urlKey, variables }: Plain): Shape {
  return {
    stdio: ({ command, args }) => processEntry({ ...process, command, args }, defaults),
    http:
      urlKey === null
        ? null
        : (remote) => addressEntry({ ...address, [urlKey]: remote.url, ...headersFor(remote, variables) }, defaults),
    variables,
  };
}

/** The command and its arguments in one list, as opencode has it. Its time-out is for listing tools, 5 s if not said. */
const oneList: Shape = {
  stdio: ({ command, args }: Launch) =>
    processEntry({ type: 'local', command: [command, ...args] }, { enabled: true, timeout: 60_000 }),
  http: (remote) =>
    addressEntry(
      { type: 'remote', url: remote.url, ...headersFor(remote, styles.bareBraces) },
      { enabled: true, timeout: 60_000 },
    ),
  variables: styles.bareBraces,
};

/** A table of TOML, as Codex has it: the only one with a limit on starting, of ten seconds if not said. */
const timeouts = { startup_timeout_sec: 30, tool_timeout_sec: 300 };
const codexTable: Shape = {
  stdio: ({ command, args }) => processEntry({ command, args }, timeouts),
  http: ({ url, tokenVariable }) =>
    addressEntry({ url, ...(tokenVariable === null ? {} : { bearer_token_env_var: tokenVariable }) }, timeouts),
  variables: styles.ownKey,
};

/** An extension of Goose. Variables that headers name must be listed. */
const gooseDefaults = { enabled: true, timeout: 300 };
const gooseExtension: Shape = {
  stdio: ({ command, args }, name) => processEntry({ type: 'stdio', cmd: command, args }, { name, ...gooseDefaults }),
  http: (remote, name) =>
    addressEntry(
      {
        type: 'streamable_http',
        uri: remote.url,
        ...headersFor(remote, styles.braces),
        ...(remote.tokenVariable === null ? {} : { env_keys: [remote.tokenVariable] }),
      },
      { name, ...gooseDefaults },
    ),
  variables: styles.braces,
};

const typed = { process: { type: 'stdio' }, address: { type: 'http' } } as const;

export const shapes = {
  claude: plain({ ...typed, defaults: { timeout: 300_000 }, urlKey: 'url', variables: styles.braces }),
  processOnly: plain({ urlKey: null, variables: null }),
  cursor: plain({ urlKey: 'url', variables: styles.envBraces }),
  vscode: plain({ ...typed, urlKey: 'url', variables: styles.envBraces }),
  copilot: plain({ ...typed, defaults: { tools: ['*'] }, urlKey: 'url', variables: styles.braces }),
  gemini: plain({ urlKey: 'httpUrl', variables: styles.braces }),
  windsurf: plain({ urlKey: 'serverUrl', variables: styles.envBraces }),
  antigravity: plain({ urlKey: 'serverUrl', variables: null }),
  zed: plain({ process: { source: 'custom' }, address: { source: 'custom' }, urlKey: 'url', variables: null }),
  kiro: plain({ defaults: { disabled: false }, urlKey: 'url', variables: styles.braces }),
  cline: plain({
    address: { type: 'streamableHttp' },
    defaults: { disabled: false, timeout: 300 },
    urlKey: 'url',
    variables: null,
  }),
  kimi: plain({
    process: { transport: 'stdio' },
    address: { transport: 'http' },
    urlKey: 'url',
    variables: null,
  }),
  // Without these its extension for MCP names the server alone: no tool and no skill.
  pi: plain({ defaults: { directTools: true, exposeResources: false }, urlKey: 'url', variables: null }),
  opencode: oneList,
  codex: codexTable,
  grok: { ...codexTable, http: ({ url }) => addressEntry({ url }, timeouts), variables: null },
  goose: gooseExtension,
} as const satisfies Record<string, Shape>;
