import { SkillError } from '../../core/errors.ts';
import { printable } from '../../core/text/text.ts';
import { shownUrl, withoutCredentials } from './addresses.ts';
import type { Fetching } from './fetching.ts';
import { type Ended, runProgram } from './program.ts';

/** Settings of Git that count whatever its user has set: it only carries objects for us. */
const settings: Readonly<Record<string, string>> = {
  'protocol.allow': 'never',
  'protocol.https.allow': 'always',
  'protocol.ssh.allow': 'always',
  'protocol.file.allow': 'always',
  // Which addresses of these two are used is decided before.
  'protocol.http.allow': 'always',
  'protocol.git.allow': 'always',
  'core.hooksPath': '/dev/null',
  // What it writes is gone in a moment.
  'core.fsync': 'none',
  'core.fsmonitor': 'false',
  'core.symlinks': 'false',
  'fetch.recurseSubmodules': 'false',
  'fetch.unpackLimit': '1',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'http.followRedirects': 'initial',
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '60',
};

/** Variables that would have Git work in another repository than ours. */
const misleading = [
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES'],
  ...['GIT_COMMON_DIR', 'GIT_NAMESPACE', 'GIT_PREFIX', 'GIT_GRAFT_FILE', 'GIT_SHALLOW_FILE', 'GIT_REPLACE_REF_BASE'],
  ...[
    'GIT_CEILING_DIRECTORIES',
    'GIT_EXTERNAL_DIFF',
    'GIT_PROTOCOL',
    'GIT_TRACE',
    'GIT_TRACE_CURL',
    'GIT_TRACE_PACKET',
  ],
  ...['GIT_CURL_VERBOSE', 'GIT_ALLOW_PROTOCOL', 'GIT_TEMPLATE_DIR'],
];

/** The repository on the other side. */
export interface Remote {
  /** Without credentials: over HTTP they go into a header that nobody sees. */
  readonly url: string;
  readonly shown: string;
  readonly header: string | null;
  /** Whether it lies on this machine. */
  readonly isLocal: boolean;
}

export function remoteOf(place: string, text: string): Remote {
  if (!URL.canParse(place) || !/^[a-z][a-z0-9+.-]+:\/\//i.test(place)) {
    return { url: place, shown: text, header: null, isLocal: /^(?:\/|[a-z]:[\\/])/i.test(place) };
  }
  const url = new URL(place);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  if (!isHttp) return { url: place, shown: text, header: null, isLocal: url.protocol === 'file:' };
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return {
    url: shownUrl(url),
    shown: text,
    header: pair === ':' ? null : `Authorization: Basic ${Buffer.from(pair).toString('base64')}`,
    isLocal: false,
  };
}

/** The environment of Git: the user's own, with our settings in variables, where no list of processes shows them. */
function environmentOf(
  { environment, terminal }: Fetching,
  remote: Remote,
  isWhole = false,
): Record<string, string | undefined> {
  const { env } = environment;
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !misleading.includes(name)));
  const given = Number(env['GIT_CONFIG_COUNT'] ?? '0') || 0;
  const all = {
    ...settings,
    'remote.origin.url': remote.url,
    ...(!isWhole && { 'remote.origin.promisor': 'true', 'remote.origin.partialclonefilter': 'blob:none' }),
    ...(remote.header !== null && { [`http.${new URL(remote.url).origin}/.extraHeader`]: remote.header }),
  };
  const pairs = Object.entries(all).flatMap(([key, value], at): [string, string][] => [
    [`GIT_CONFIG_KEY_${given + at}`, key],
    [`GIT_CONFIG_VALUE_${given + at}`, value],
  ]);
  return {
    ...kept,
    ...Object.fromEntries(pairs),
    GIT_CONFIG_COUNT: String(given + Object.keys(all).length),
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
    ...(terminal !== true && {
      GIT_TERMINAL_PROMPT: '0',
      SSH_ASKPASS_REQUIRE: 'never',
    }),
  };
}

export interface GitOptions {
  readonly input?: string | Promise<string>;
  readonly onOutput?: (chunk: Buffer) => void;
  /** Whether it talks to the other side. */
  readonly isRemote?: boolean;
  /** Whether nothing is left out that would have to be fetched later. */
  readonly isWhole?: boolean;
  /** Called with what it said where it failed, to try something else: then the outcome is null. */
  readonly mayFail?: (said: string) => boolean;
}

/** Runs Git in a folder of ours. */
export async function git(
  folder: string,
  remote: Remote,
  args: readonly string[],
  fetching: Fetching,
  { input, onOutput, isRemote = false, isWhole = false, mayFail }: GitOptions = {},
): Promise<Ended | null> {
  const { limits, signal, terminal, onProgress } = fetching;
  const ended = await runProgram('git', args, {
    cwd: folder,
    env: environmentOf(fetching, remote, isWhole),
    limits,
    signal,
    terminal,
    ...(input !== undefined && { input }),
    ...(onOutput !== undefined && { onOutput }),
    ...(isRemote && { fills: folder }),
    ...(onProgress !== undefined && {
      onError: (text: string) => onProgress({ what: `Fetching ${remote.shown}`, ...counted(text) }),
    }),
  });
  if (ended.code === 0) return ended;
  if (mayFail?.(ended.said) === true) return null;
  throw failure(ended.said, remote);
}

/** The last count in what Git says of its progress: `Receiving objects:  45% (123/456)`. */
function counted(text: string): { done?: number; total?: number } {
  const [, done, total] = [...text.matchAll(/\d+% \((\d+)\/(\d+)\)/g)].at(-1) ?? [];
  return done === undefined ? {} : { done: Number(done), total: Number(total) };
}

/** Words of Git when it fails, and their meaning. */
const failures: readonly (readonly [RegExp, 'not-found' | 'denied' | 'unreadable', string, string])[] = [
  [
    /could not read (?:Username|Password)|Authentication failed|Permission denied \(|terminal prompts disabled|returned error: 40[13]|requires? authentication/i,
    'denied',
    'it does not exist, or it is private and Git has no credentials for it',
    'Private repositories are fetched with your own Git: set up a credential helper or an SSH key so that `git ls-remote` works.',
  ],
  [
    /Host key verification failed/i,
    'denied',
    'SSH does not know this host',
    'Connect to it once with ssh, and compare the fingerprint that it shows.',
  ],
  [
    /couldn't find remote ref|not our ref|unadvertised object|no such ref/i,
    'not-found',
    'it has no such branch, tag or commit',
    'Check what follows @ or #; a skill is chosen by its path, or by its name apart.',
  ],
  [
    /repository .*not found|returned error: 404|does not appear to be a git repository|does not exist|No such file or directory|not a git repository/i,
    'not-found',
    'there is no such repository',
    'Check the address.',
  ],
  [
    /Please tell me who you are|empty ident name|auto-detect email/i,
    'denied',
    'Git does not know who you are',
    'Tell it: git config --global user.name NAME, and user.email ADDRESS.',
  ],
  [
    /\[(?:remote )?rejected\]|non-fast-forward|fetch first/i,
    'denied',
    'it does not take the branch',
    'Choose another name for the branch, or push to a fork of yours.',
  ],
  [/transport '.*' not allowed/i, 'denied', 'Git may not use this kind of address', 'Use https or ssh.'],
];

function failure(said: string, { shown }: Remote): SkillError {
  const known = failures.find(([pattern]) => pattern.test(said));
  if (known !== undefined) {
    const [, code, message, hint] = known;
    return new SkillError(code, `${shown}: ${message}`, { hint });
  }
  const line =
    said.split('\n').findLast((one) => /^(?:fatal|error):/.test(one)) ?? said.trim().split('\n').at(-1) ?? '';
  const plain = printable(withoutCredentials(line)).slice(0, 300);
  return new SkillError('unreadable', `${shown}: Git cannot fetch it (${plain || 'it does not say why'})`);
}
