import type { Environment } from '../../../core/environment.ts';
import { isObject } from '../../../core/formats/documents.ts';
import { shown } from '../../../core/schema/parsed.ts';
import { noCapabilities, union } from '../../policy/capabilities.ts';
import { type Capabilities, type Limits, type RuntimeName, runtimeNames } from '../../policy/types.ts';
import { referencedBy } from '../references.ts';
import type { Instance } from '../types.ts';
import { readCapabilities } from './capability-keys.ts';
import { dockerKeys, image } from './docker-keys.ts';
import { type Env, envTable } from './env.ts';
import { type Place, refuse, within } from './findings.ts';
import { limitKeys, limitsIn, readLimits } from './limits.ts';
import { choice, inner, note, type Readers, readTable, text, texts, withoutEffect } from './readers.ts';

type Home = Pick<Environment, 'home'> & Partial<Pick<Environment, 'cwd' | 'env'>>;

/** The declarations of a manifest for a skill as a whole, and the places of its tools. */
export interface Declared {
  readonly runtime: RuntimeName | null;
  readonly version: string | null;
  /** A WebAssembly file of the skill. */
  readonly module: string | null;
  readonly image: string | null;
  /** Words that every command in the container begins with. */
  readonly words: readonly string[];
  readonly folder: 'skill' | 'scratch' | null;
  readonly capabilities: Capabilities;
  readonly limits: Partial<Limits>;
  readonly env: Env;
  readonly instances: Readonly<Record<string, Instance>>;
  /** The instance that is meant where none is named. */
  readonly usualInstance: string | null;
  readonly tools: ReadonlyMap<string, Place>;
}

export const nothingDeclared: Declared = {
  runtime: null,
  version: null,
  module: null,
  image: null,
  words: [],
  folder: null,
  capabilities: noCapabilities,
  limits: {},
  env: {},
  instances: {},
  usualInstance: null,
  tools: new Map(),
};

const keys = {
  name: note,
  description: note,
  version: text,
  runtime: choice(...runtimeNames),
  module: text,
  image,
  folder: choice('skill', 'scratch'),
  limits: inner,
  resources: inner,
  capabilities: inner,
  env: envTable,
  docker: inner,
  instances: inner,
  default_instance: text,
  tools: inner,
  services: withoutEffect('has no effect: no services are started'),
  author: note,
  authors: note,
  license: note,
  homepage: note,
  repository: note,
  keywords: note,
  tags: note,
  category: note,
  ...limitKeys,
};

/** Reads the declarations for a skill; `more` are the keys that this place has beyond the usual. */
export function declaredIn(place: Place, home: Home, more: Readers = {}): Declared {
  const read = readTable(place, { ...more, ...keys });
  const asked = readCapabilities(within(place, 'capabilities'), home);
  const docker = dockerIn(within(place, 'docker'), home);
  const own: Declared = {
    runtime: read.runtime ?? null,
    version: read.version ?? null,
    module: read.module ?? null,
    image: read.image ?? null,
    words: [],
    folder: read.folder ?? null,
    capabilities: union(asked.capabilities, referencedBy(read.env ?? {})),
    limits: { ...asked.limits, ...readLimits(read.limits), ...readLimits(read.resources), ...limitsIn(read) },
    env: read.env ?? {},
    instances: instancesIn(within(place, 'instances'), home),
    usualInstance: read.default_instance ?? null,
    tools: toolPlaces(within(place, 'tools')),
  };
  return merged(docker, own);
}

/** Merges two declarations; where they differ, the second holds. */
export function merged(one: Declared, other: Declared): Declared {
  return {
    runtime: other.runtime ?? one.runtime,
    version: other.version ?? one.version,
    module: other.module ?? one.module,
    image: other.image ?? one.image,
    words: other.words.length > 0 ? other.words : one.words,
    folder: other.folder ?? one.folder,
    capabilities: union(one.capabilities, other.capabilities),
    limits: { ...one.limits, ...other.limits },
    env: { ...one.env, ...other.env },
    instances: { ...one.instances, ...other.instances },
    usualInstance: other.usualInstance ?? one.usualInstance,
    tools: new Map([...one.tools, ...other.tools]),
  };
}

function dockerIn(place: Place, home: Home): Declared {
  const read = readTable(place, dockerKeys(home));
  const env = { ...read.environment, ...read.env };
  return {
    ...nothingDeclared,
    image: read.image ?? null,
    words: [...(read.entrypoint ?? []), ...(read.command ?? [])],
    folder: read.working_dir ?? null,
    capabilities: union(
      { ...noCapabilities, network: read.network ?? [], filesystem: read.volumes ?? [] },
      referencedBy(env),
    ),
    limits: limitsIn(read),
    env,
  };
}

function instancesIn(place: Place, home: Home): Readonly<Record<string, Instance>> {
  if (place.value === undefined) return {};
  if (!isObject(place.value)) {
    refuse(place, {
      message: `must be a table, not ${shown(place.value)}`,
      remedy: 'Write [instances.NAME] for each.',
    });
    return {};
  }
  return Object.fromEntries(Object.keys(place.value).map((name) => [name, instanceIn(within(place, name), home)]));
}

function instanceIn(place: Place, home: Home): Instance {
  const { description = '', env = {} } = readTable(place, instanceKeys);
  const { capabilities } = readCapabilities(within(place, 'capabilities'), home);
  return { description, env, capabilities: union(capabilities, referencedBy(env)) };
}

const instanceKeys = {
  description: text,
  env: envTable,
  capabilities: inner,
  config: withoutEffect(
    'has no effect: no settings are passed on',
    'Put plain values into env, and secrets into [capabilities] secrets.',
  ),
  tags: texts,
};

/** The places of tools by name: `[tools.NAME]`, or `[[tools]]` with a name in each. */
function toolPlaces(place: Place): ReadonlyMap<string, Place> {
  const { value } = place;
  if (value === undefined) return new Map();
  if (Array.isArray(value)) {
    return listedTools(place, value.length);
  }
  if (isObject(value)) return new Map(Object.keys(value).map((name) => [name, within(place, name)]));
  refuse(place, { message: `must be a table, not ${shown(value)}`, remedy: 'Write [tools.NAME] for each tool.' });
  return new Map();
}

function listedTools(place: Place, length: number): ReadonlyMap<string, Place> {
  const tools = new Map<string, Place>();
  for (let index = 0; index < length && !place.findings.isFull; index++) {
    const one = within(place, index);
    const name = text(within(one, 'name'));
    if (name === undefined) continue;
    if (tools.has(name))
      refuse(one, { message: `${shown(name)} is declared twice`, remedy: 'Give each tool its own name.' });
    tools.set(name, one);
  }
  return tools;
}
