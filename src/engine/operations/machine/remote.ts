import { rmSync } from 'node:fs';
import { isThere } from '../../../core/disk/files.ts';
import { SkillError } from '../../../core/errors.ts';
import {
  choice,
  count,
  flag,
  type Infer,
  list,
  nullable,
  object,
  optional,
  text,
  time,
} from '../../../core/schema/schema.ts';
import { isLoopback } from '../../../get/connect/target.ts';
import { refreshRemote } from '../../../get/remote/refresh.ts';
import {
  addressOf,
  checkRemoteName,
  currentOf,
  draftRemote,
  folderOf,
  listRemotes,
  placeRemote,
  problemSchema,
  type Remote,
  readManifest,
  readState,
  removeRemote,
  requireRemote,
} from '../../../get/remote/store.ts';
import type { Engine, Request } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';

const outcomes = ['added', 'refreshed', 'unchanged', 'failed', 'removed'] as const;

const rowSchema = object({
  name: text('The provider of its skills.'),
  kind: choice(['http', 'stdio']),
  address: text('Its URL, without a query; or its command.'),
  auth: choice(['none', 'token', 'oauth']),
  server: nullable(text(), 'The name that the server gives itself.'),
  skills: list(text(), 'The names of the skills that are kept.'),
  refreshedAt: nullable(time(), 'When they were last compared with those of the server.'),
  failure: nullable(text(), 'Why the last refresh failed.'),
  problems: list(problemSchema, 'What was left out, and why.'),
  outcome: nullable(choice(outcomes), 'What has just been done.'),
});
export type RemoteRow = Infer<typeof rowSchema>;

const output = object({ remotes: list(rowSchema), failed: count() });
export type RemoteOutput = Infer<typeof output>;

const actions = ['list', 'add', 'remove', 'refresh'] as const;

const input = {
  action: choice(actions, 'list, add NAME URL, add NAME COMMAND…, remove NAME or refresh [NAME…].', {
    default: 'list',
  }),
  name: optional(text('The remote: its skills have this provider.')),
  source: list(text(), 'Its URL, or the command that starts it, with its arguments.', { default: [] }),
  tokenEnv: optional(text('Send the bearer token in this environment variable, which is read each time.')),
  tokenFile: optional(text('Send the bearer token in this file, which is read each time.')),
  oauth: flag('Sign in at the server: it names the page to open in a browser.', { default: false }),
  clientId: optional(text('The id of a client registered at the authorization server, if it registers none itself.')),
  passEnv: list(text(), 'Pass this environment variable on to the command; repeatable.', { default: [] }),
} as const;

type Input = Parameters<(typeof remote)['run']>[1];

export const remote = defineOperation({
  name: 'remote',
  effect: 'acts',
  concernsSkills: false,
  input,
  output,
  async run(engine, given, request): Promise<RemoteOutput> {
    const rows = await perform[given.action](engine, given, request);
    return { remotes: rows, failed: rows.filter(({ outcome }) => outcome === 'failed').length };
  },
});

type Perform = (engine: Engine, input: Input, request: Request) => Promise<readonly RemoteRow[]>;

const perform: { readonly [A in (typeof actions)[number]]: Perform } = {
  list: async ({ environment }) => listRemotes(environment).map((one) => rowOf(folderOf(environment, one.name), one)),

  async add(engine, given, request) {
    const { environment } = engine;
    const added = remoteFrom(given, engine);
    const place = folderOf(environment, added.name);
    if (isThere(place)) {
      const hint = `Remove it first: repertoire remote remove ${added.name}`;
      throw new SkillError('usage', `there is a remote '${added.name}' already`, { hint });
    }
    warnOfPlainHttp(added, request);
    const draft = draftRemote(environment, added);
    try {
      await refreshRemote(draft, added, asking(engine, request));
      placeRemote(environment, draft, added.name);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
    return [rowOf(place, added, 'added')];
  },

  async remove({ environment }, { name }) {
    const one = requireRemote(environment, named(name, 'remove'));
    const row = rowOf(folderOf(environment, one.name), one, 'removed');
    removeRemote(environment, one.name);
    return [row];
  },

  async refresh(engine, { name, source }, request) {
    const { environment } = engine;
    const names = [...(name === undefined ? [] : [name]), ...source];
    const wanted = names.length === 0 ? listRemotes(environment) : names.map((one) => requireRemote(environment, one));
    return Promise.all(wanted.map((one) => refreshedRow(engine, one, request)));
  },
};

async function refreshedRow(engine: Engine, one: Remote, request: Request): Promise<RemoteRow> {
  const folder = folderOf(engine.environment, one.name);
  try {
    const hasChanged = await refreshRemote(folder, one, asking(engine, request));
    return rowOf(folder, one, hasChanged ? 'refreshed' : 'unchanged');
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return rowOf(folder, one, 'failed');
  }
}

function asking({ environment, configuration }: Engine, { signal, onProgress, warn }: Request) {
  const ask = warn && ((address: string): void => warn(`sign in: open this page in your browser: ${address}`));
  return { environment, signal, onProgress, ask, offline: configuration.values.offline };
}

function rowOf(folder: string, one: Remote, outcome: RemoteRow['outcome'] = null): RemoteRow {
  const state = readState(folder);
  const current = currentOf(folder);
  const manifest = current === null ? null : readManifest(folder, current);
  return {
    name: one.name,
    kind: one.target.kind === 'address' ? 'http' : 'stdio',
    address: addressOf(one),
    auth: one.oauth ? 'oauth' : (one.tokenEnv ?? one.tokenFile) === null ? 'none' : 'token',
    server: state?.server || null,
    skills: Object.values(manifest?.skills ?? {}).map(({ name }) => name),
    refreshedAt: state?.refreshedAt ?? null,
    failure: state?.failure ?? null,
    problems: state?.problems ?? [],
    outcome,
  };
}

function named(name: string | undefined, action: string): string {
  if (name !== undefined) return name;
  throw new SkillError('usage', `missing name: remote ${action} NAME`);
}

/** The remote that somebody adds. Secrets are not part of it: they are named, and read when they are needed. */
function remoteFrom(given: Input, { environment }: Engine): Remote {
  const name = named(given.name, 'add');
  checkRemoteName(name);
  const { source, tokenEnv = null, tokenFile = null, oauth, clientId = null, passEnv } = given;
  const [first] = source;
  if (first === undefined) throw new SkillError('usage', 'missing address: remote add NAME URL, or NAME -- COMMAND');
  const isAddress = source.length === 1 && /^https?:\/\//i.test(first);
  checkSecrets(given, isAddress);
  const target: Remote['target'] = isAddress
    ? { kind: 'address', url: checkedUrl(first) }
    : { kind: 'process', command: source, cwd: environment.cwd, env: passEnv };
  return { version: 1, name, addedAt: new Date().toISOString(), target, tokenEnv, tokenFile, oauth, clientId };
}

function checkSecrets({ tokenEnv, tokenFile, oauth, clientId, passEnv }: Input, isAddress: boolean): void {
  const ways = [tokenEnv, tokenFile, oauth || undefined].filter((one) => one !== undefined);
  if (ways.length > 1) throw new SkillError('usage', 'choose one of --token-env, --token-file and --oauth');
  const isForCommand = passEnv.length > 0;
  const isForAddress = ways.length > 0 || clientId !== undefined;
  if (isAddress ? isForCommand : isForAddress) {
    const hint = 'An address is given a token by --token-env or --token-file; a command, variables by --pass-env.';
    throw new SkillError('usage', `${isAddress ? 'an address' : 'a command'} is not given secrets in this way`, {
      hint,
    });
  }
  for (const name of [...(tokenEnv === undefined ? [] : [tokenEnv]), ...passEnv]) checkVariable(name);
}

function checkVariable(name: string): void {
  if (/^[A-Za-z_]\w*$/.test(name)) return;
  // Whatever it is, it may be the token itself: it is not repeated.
  throw new SkillError('usage', 'a token is given by the name of a variable, not by itself', {
    hint: 'As in: TEAM_TOKEN=… repertoire remote add team https://skills.example.com/mcp --token-env TEAM_TOKEN',
  });
}

function checkedUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null) throw new SkillError('usage', `'${given}' is not a URL`);
  if (url.username !== '' || url.password !== '') {
    const hint = 'Name the variable that holds a token with --token-env.';
    throw new SkillError('usage', 'an address with a name or a password in it is not kept', { hint });
  }
  return url.href;
}

function warnOfPlainHttp({ target, tokenEnv, tokenFile }: Remote, { warn }: Request): void {
  if (target.kind !== 'address' || (tokenEnv ?? tokenFile) === null) return;
  const url = new URL(target.url);
  if (url.protocol === 'http:' && !isLoopback(url))
    warn?.('the token is sent over plain HTTP, which others on the way can read');
}
