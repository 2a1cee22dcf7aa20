import type { Environment } from '../../../core/environment.ts';
import { isObject } from '../../../core/formats/documents.ts';
import { looksSecret } from '../../../core/text/secret-names.ts';
import { canonical, meetHosts } from '../../policy/capabilities.ts';
import { parseHost } from '../../policy/hosts.ts';
import {
  meetNames,
  meetPaths,
  parseCommand,
  parseEnvName,
  parseImage,
  parsePath,
  parseSecretName,
} from '../../policy/names.ts';
import type { Capabilities, HostRule, Limits, PathRule } from '../../policy/types.ts';
import { type Place, pass, refuse, within } from './findings.ts';
import { limitKeys, limitsIn } from './limits.ts';
import { each, forbidden, inner, onOff, type ReadBy, type Reader, readTable, texts, withoutEffect } from './readers.ts';

/** Capabilities that are asked for, and the limits that some write beside them. */
export interface Asked {
  readonly capabilities: Capabilities;
  readonly limits: Partial<Limits>;
}

type Home = Pick<Environment, 'home'>;

const hosts = each(parseHost);
const variables = each(parseEnvName);
const commands = each(parseCommand);
const nameHosts = 'Name the hosts: network = ["api.example.com"]. All of them cannot be asked for.';
const nameFolders = 'Name the folders: filesystem = ["read:/data"].';
const fixedArguments = 'is not needed: a command has no arguments but those of its template';
const useParameters = 'Use enum or pattern on the parameters instead.';

/** Hosts in a list, or in a table of lists; false for none. */
const network: Reader<readonly HostRule[]> = (place) => {
  if (place.value === false || place.value === 'none') return [];
  if (place.value === true) return refuse(place, { message: 'does not say which hosts', remedy: nameHosts });
  if (!isObject(place.value)) return hosts(place);
  const read = readTable(place, networkKeys);
  const allowed = [...(read.allowed_domains ?? []), ...(read.allowed_hosts ?? []), ...(read.allowed_ips ?? [])];
  checkBlocked(within(place, 'blocked_domains'), allowed, hosts, meetHosts, nameHosts);
  return allowed;
};

const networkKeys = {
  allowed_domains: hosts,
  allowed_hosts: hosts,
  allowed_ips: hosts,
  blocked_domains: texts,
  protocols: withoutEffect(
    'has no effect: hosts and ports are checked',
    'Name the port with the host, as in "api.example.com:443".',
  ),
  dns: withoutEffect('has no effect: names are looked up outside the run'),
};

function paths(access: 'read' | 'write', home: Home): Reader<readonly PathRule[]> {
  return each((path) => parsePath(/^(?:read|write):/.test(path) ? path : `${access}:${path}`, home));
}

/** Makes a reader of `read:` and `write:` paths in a list, or a list for each in a table. */
function filesystem(home: Home): Reader<readonly PathRule[]> {
  return (place) => {
    if (place.value === false || place.value === 'none') return [];
    if (place.value === true) return refuse(place, { message: 'does not say which folders', remedy: nameFolders });
    if (!isObject(place.value)) return each((path) => parsePath(path, home))(place);
    const read = readTable(place, { read: paths('read', home), write: paths('write', home), forbidden: texts });
    const allowed = [...(read.read ?? []), ...(read.write ?? [])];
    checkBlocked(within(place, 'forbidden'), allowed, paths('write', home), meetPaths, nameFolders);
    return allowed;
  };
}

const environmentKeys = { allowlist: variables, allowed: variables, blocklist: texts, patterns: variables };

/** Names of variables in a list, or in a table of lists. */
const environment: Reader<readonly string[]> = (place) => {
  if (!isObject(place.value)) return variables(place);
  const read = readTable(place, environmentKeys);
  const allowed = [...(read.allowlist ?? []), ...(read.allowed ?? []), ...(read.patterns ?? [])];
  const remedy = 'Name the variables: env = ["API_REGION"].';
  const names = each((name) => ({ ok: true, value: name }));
  checkBlocked(within(place, 'blocklist'), allowed, names, meetNames, remedy);
  return allowed;
};

/** Checks a list of forbidden things: it says nothing new beside a list of allowed ones, and far too much without. */
function checkBlocked<T>(
  place: Place,
  allowed: readonly T[],
  read: Reader<readonly T[]>,
  meet: (one: T, other: T) => T | null,
  remedy: string,
): void {
  if (place.value === undefined || (Array.isArray(place.value) && place.value.length === 0)) return;
  if (allowed.length === 0) {
    refuse(place, { message: 'a list of what is forbidden would allow everything else', remedy });
    return;
  }
  const both = read(place)?.some((blocked) => allowed.some((one) => meet(one, blocked) !== null));
  if (both) refuse(place, { message: 'forbids a part of what is allowed', remedy: `Allow less instead. ${remedy}` });
}

const accesses: Readonly<Record<string, 'none' | 'read' | 'write'>> = {
  false: 'none',
  none: 'none',
  true: 'read',
  read: 'read',
  readonly: 'read',
  write: 'write',
  readwrite: 'write',
};

const fileAccess: Reader<'none' | 'read' | 'write'> = (place) => {
  const access = accesses[String(place.value).toLowerCase().replace(/[-_ ]/g, '')];
  return access ?? refuse(place, { message: 'must be "none", "read-only" or "read-write"', remedy: nameFolders });
};

function capabilityKeys(home: Home) {
  return {
    network,
    network_access: onOff,
    allowed_domains: hosts,
    allowed_hosts: hosts,
    blocked_domains: texts,
    filesystem: filesystem(home),
    filesystem_access: fileAccess,
    allowed_paths: inner,
    read_only_paths: paths('read', home),
    env: environment,
    environment,
    secrets: each(parseSecretName),
    commands,
    allowed_commands: commands,
    images: each(parseImage),
    allowed_args: forbidden(fixedArguments, useParameters),
    forbidden_args: forbidden(fixedArguments, useParameters),
    max_concurrent_requests: withoutEffect('has no effect: the operator decides how many tools run at once'),
    ...limitKeys,
  };
}

type Read = ReadBy<ReturnType<typeof capabilityKeys>>;

/** Reads what a table of capabilities asks for, in whichever of the known forms it is written. */
export function readCapabilities(place: Place, home: Home): Asked {
  const read = readTable(place, capabilityKeys(home));
  const asked = [...(read.env ?? []), ...(read.environment ?? [])];
  const capabilities = canonical({
    network: networkIn(place, read),
    filesystem: filesystemIn(place, read, home),
    env: asked.filter((name) => !looksSecret(name)),
    // A secret is kept out of output, records and plans, by whichever key it is asked for.
    secrets: [...(read.secrets ?? []), ...asked.filter((name) => looksSecret(name))],
    commands: [...(read.commands ?? []), ...(read.allowed_commands ?? [])],
    images: read.images ?? [],
    limits: [],
  });
  return { capabilities, limits: limitsIn(read) };
}

function networkIn(place: Place, read: Read): readonly HostRule[] {
  const named = [...(read.network ?? []), ...(read.allowed_domains ?? []), ...(read.allowed_hosts ?? [])];
  checkBlocked(within(place, 'blocked_domains'), named, hosts, meetHosts, nameHosts);
  const access = within(place, 'network_access');
  if (read.network_access === true && named.length === 0) {
    if (place.findings.isLenient) pass(access, 'names no hosts, and so none can be reached', nameHosts);
    else refuse(access, { message: 'does not say which hosts', remedy: nameHosts });
  }
  if (read.network_access === false && named.length > 0) {
    refuse(access, { message: 'is false, and hosts are named', remedy: 'Remove one of the two.' });
  }
  return named;
}

function filesystemIn(place: Place, read: Read, home: Home): readonly PathRule[] {
  const access = read.filesystem_access ?? 'read';
  const at = within(place, 'filesystem_access');
  const allowed =
    access === 'none' || read.allowed_paths === undefined ? [] : (paths(access, home)(read.allowed_paths) ?? []);
  const named = [...(read.filesystem ?? []), ...allowed, ...(read.read_only_paths ?? [])];
  if (access === 'none' && (named.length > 0 || read.allowed_paths !== undefined)) {
    refuse(at, { message: 'is off, and folders are named', remedy: 'Remove one of the two.' });
  }
  if (at.value !== undefined && access !== 'none' && named.length === 0) {
    refuse(at, { message: 'does not say which folders', remedy: nameFolders });
  }
  return named;
}
