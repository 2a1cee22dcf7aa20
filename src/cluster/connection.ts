import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  nkeyAuthenticator,
  type TlsOptions,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import { readRegularFile, realPathOrSelf } from '../core/disk/files.ts';
import { expandPath } from '../core/disk/paths.ts';
import type { Environment } from '../core/environment.ts';
import { reasonOf, SkillError } from '../core/errors.ts';
import { settlesWithin } from '../core/settles-within.ts';
import { oneLine } from '../core/text/text.ts';
import { version } from '../core/version.ts';
import { refuseOffline } from '../get/connect/target.ts';
import { type Names, namesOf } from './names.ts';
import type { Turns } from './workers/turns.ts';

/** The settings of a cluster. Secrets are in files: none of these is one. */
export interface ClusterSettings {
  /** Addresses of its nodes, separated by commas. */
  readonly cluster: string | undefined;
  readonly clusterName: string;
  readonly clusterCredentials: string | undefined;
  readonly clusterCa: string | undefined;
  readonly offline: boolean;
}

export interface ClusterStatus {
  readonly state: 'connected' | 'lost';
  /** The time since which it has been so. */
  readonly since: string;
  /** The node that it is connected to, or was last. */
  readonly node: string | null;
  /** The reason why the last attempt to connect failed. */
  readonly failure: string | null;
}

/** A connection to a cluster, which is made again for as long as nobody closes it. */
export interface Cluster {
  readonly name: string;
  readonly names: Names;
  /** The addresses, which hold no secret. */
  readonly address: string;
  readonly status: ClusterStatus;
  /** Calls back whenever the connection is lost or made; returns what ends that. */
  onStatus(listener: (status: ClusterStatus) => void): () => void;
  /** The connection once there is one, however long that takes; rejects when this is closed before. */
  connected(): Promise<NatsConnection>;
  /** The connection, or the error of the first attempt that fails from now on. */
  reached(): Promise<NatsConnection>;
  /** The lines of executions that wait for workers, by what they want. */
  readonly lines: Map<string, Turns>;
  /** Has something done before the connection is closed, which waits for it a moment. */
  onClose(work: () => Promise<unknown>): void;
  /** Sends what is still to be sent, and ends. */
  close(): Promise<void>;
}

/** Milliseconds that one attempt to connect may take, and those between two attempts. */
const [attemptMs, pauseMs] = [5000, 500];
/** Milliseconds after which a node that says nothing is taken for lost. */
const silenceMs = 2000;
/** Milliseconds that closing waits for what is to be done before. */
const lastMs = 1000;

/** Opens a connection to the cluster of the settings. Settings that are wrong throw at once, a cluster that is away does not. */
export function openCluster(settings: ClusterSettings, environment: Environment): Cluster {
  const nodes = nodesIn(settings);
  const options: NodeConnectionOptions = {
    servers: nodes,
    ...accessFor(settings, nodes, environment),
    name: `repertoire ${version()}`,
    timeout: attemptMs,
    // A node that hangs is noticed, another one is tried, and nobody ever gives up.
    ...{ pingInterval: silenceMs / 2, maxPingOut: 2, maxReconnectAttempts: -1, ignoreAuthErrorAbort: true },
    ...{ reconnectTimeWait: pauseMs, reconnectJitter: pauseMs, noAsyncTraces: true },
  };
  const listeners = new Set<(status: ClusterStatus) => void>();
  const failures = new Set<(error: SkillError) => void>();
  const closing = new AbortController();
  const last = new Set<() => Promise<unknown>>();
  let status: ClusterStatus = { state: 'lost', since: new Date().toISOString(), node: null, failure: null };
  const address = nodes.join(',');

  const change = (state: ClusterStatus['state'], node: string | null, failure: string | null): void => {
    const since = state === status.state ? status.since : new Date().toISOString();
    const isNews = state !== status.state || failure !== status.failure;
    status = { state, since, node, failure };
    if (isNews) for (const listener of listeners) listener(status);
  };

  const first = connectFirst();
  first.catch(() => {}); // whoever waits for it is told

  /** Tries until there is a connection; from then on the library keeps it. */
  async function connectFirst(): Promise<NatsConnection> {
    while (!closing.signal.aborted) {
      try {
        for (const node of nodes) refuseOffline(node, settings.offline);
        const connection = await connect(options);
        change('connected', connection.getServer(), null);
        void follow(connection);
        return connection;
      } catch (error) {
        const failure = oneLine(reasonOf(error));
        change('lost', null, failure);
        for (const fail of failures) fail(unreachable(address, failure));
        await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
    throw unreachable(address, 'closed');
  }

  async function follow(connection: NatsConnection): Promise<void> {
    for await (const event of connection.status()) {
      if (event.type === 'disconnect') change('lost', status.node, 'the connection was lost');
      else if (event.type === 'reconnect') change('connected', connection.getServer(), null);
    }
  }

  return {
    name: settings.clusterName,
    names: namesOf(settings.clusterName),
    address,
    get status() {
      return status;
    },
    onStatus(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lines: new Map(),
    onClose: (work) => void last.add(work),
    connected: () => first,
    reached: () =>
      new Promise((resolve, reject) => {
        failures.add(reject);
        first.then(resolve, reject).finally(() => failures.delete(reject));
      }),
    async close() {
      if (closing.signal.aborted) return;
      const isConnected = status.state === 'connected';
      closing.abort();
      const connection = await first.catch(() => null);
      if (isConnected) await settlesWithin(lastMs, Promise.allSettled([...last].map((work) => work())));
      // Draining waits for an answer, which nobody gives where the connection is lost or the node hangs.
      if (isConnected && connection !== null) await settlesWithin(lastMs, Promise.allSettled([connection.drain()]));
      // One that was lost meanwhile would be made again for ever, and keep the process alive.
      await connection?.close().catch(() => {});
    },
  };
}

/** The error for a cluster that does not answer. */
export function unreachable(address: string, reason: string): SkillError {
  return new SkillError('unavailable', `the cluster ${address} cannot be reached (${reason})`, {
    hint: 'Is it running, and are --cluster and --cluster-credentials right?',
  });
}

/** The addresses of the nodes, each as `nats://host:port`. */
function nodesIn({ cluster = '' }: ClusterSettings): string[] {
  const nodes = cluster.split(',').map((node) => node.trim());
  for (const node of nodes) {
    const url = URL.canParse(node) ? new URL(node) : null;
    if (url === null || !/^(?:nats|tls):$/.test(url.protocol) || url.hostname === '') {
      // It may be a password that stands in the wrong place: it is not repeated.
      throw new SkillError('usage', 'a cluster is given by the addresses of its nodes', {
        hint: 'As in: --cluster nats://one.example:4222,nats://two.example:4222',
      });
    }
    if (url.username !== '' || url.password !== '') {
      throw new SkillError('usage', 'the address of a cluster must not hold a name or a password', {
        hint: 'Others can see it. Write them into a file, as user:password, and name that with --cluster-credentials.',
      });
    }
  }
  return nodes;
}

interface Access {
  readonly authenticator?: Authenticator;
  readonly tls?: TlsOptions;
}

function accessFor(
  { clusterCredentials, clusterCa }: ClusterSettings,
  nodes: readonly string[],
  environment: Environment,
): Access {
  const ca = clusterCa === undefined ? undefined : textIn(clusterCa, 'cluster_ca', environment);
  const isSecure = ca !== undefined || nodes.some((node) => node.startsWith('tls:'));
  return {
    ...(clusterCredentials !== undefined && {
      authenticator: authenticatorFor(textIn(clusterCredentials, 'cluster_credentials', environment)),
    }),
    ...(isSecure && { tls: ca === undefined ? {} : { ca } }),
  };
}

/** The way to sign in with a file of credentials, by how its text looks. */
function authenticatorFor(text: string): Authenticator {
  const bytes = new TextEncoder().encode(text);
  if (text.includes('-----BEGIN NATS USER JWT-----')) return credsAuthenticator(bytes);
  if (/^SU[A-Z2-7]{56}$/.test(text)) return nkeyAuthenticator(bytes);
  const [, user, password] = /^([^:\s]+):(.+)$/.exec(text) ?? [];
  return user === undefined ? tokenAuthenticator(text) : usernamePasswordAuthenticator(user, password ?? '');
}

function textIn(path: string, key: string, environment: Environment): string {
  const file = expandPath(path, environment);
  // A secret that Kubernetes mounts is a link, as is one that is exchanged in one step.
  const found = readRegularFile(realPathOrSelf(file), 1024 * 1024);
  const text = found.ok ? found.value.bytes.toString('utf8').trim() : '';
  if (text !== '') return text;
  throw new SkillError(
    'config',
    `${file}, which ${key} names, ${found.ok ? 'is empty' : `cannot be read (${found.reason})`}`,
    {
      hint: 'It holds NATS credentials (.creds), the seed of an nkey, user:password, or a token.',
    },
  );
}
