import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AuthorizationError, connect, type NatsConnection } from '@nats-io/transport-node';
import { onTestFinished } from 'vitest';

/** One node of a cluster: a real `nats-server` with JetStream. */
export interface NatsNode {
  readonly name: string;
  readonly url: string;
  /** Ends it as a power failure would; what it has on disk stays. */
  kill(): Promise<void>;
  /** Makes it hang: its connections stay, and nothing is answered on them. */
  hang(): void;
  /** Starts it again, with what it had. */
  start(): Promise<void>;
}

export interface NatsCluster {
  /** The addresses of all nodes, as `--cluster` takes them. */
  readonly url: string;
  readonly nodes: readonly NatsNode[];
  /** A connection for the test itself, which ends with it. */
  connect(): Promise<NatsConnection>;
}

/** Starts a cluster of one node or of three; it goes away with the test. */
export async function startNats(size: 1 | 3 = 1, more: readonly string[] = []): Promise<NatsCluster> {
  const cluster = await launchNats(size, more);
  onTestFinished(() => cluster.stop());
  return cluster;
}

/** Starts a cluster for a whole file of tests, which has to stop it. */
export async function launchNats(
  size: 1 | 3 = 1,
  more: readonly string[] = [],
): Promise<NatsCluster & { stop(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-nats-'));
  const ports = await freePorts(size * 2);
  const routes = ports.slice(size).map((port) => `nats://127.0.0.1:${port}`);
  const children = new Set<ChildProcess>();
  const nodes = ports.slice(0, size).map((port, at): NatsNode & { ready(): Promise<void> } => {
    const name = `n${at + 1}`;
    const url = `nats://127.0.0.1:${port}`;
    const joined = ['--cluster_name', 'test', '--cluster', routes[at] ?? '', '--routes', routes.join(',')];
    const args = ['-a', '127.0.0.1', '-p', String(port), '-n', name, '-js', '-sd', join(folder, name), ...more];
    let child: ChildProcess | undefined;
    const node = {
      name,
      url,
      async kill() {
        const gone = new Promise((resolve) => child?.once('exit', resolve));
        child?.kill('SIGKILL');
        await gone;
      },
      hang: () => void child?.kill('SIGSTOP'),
      async start() {
        child = spawn('nats-server', size === 1 ? args : [...args, ...joined], { stdio: 'ignore' });
        children.add(child);
        await node.ready();
      },
      async ready() {
        for (const until = Date.now() + 30_000; !(await hasStreams(url)); ) {
          if (Date.now() > until) throw new Error(`${name} does not answer`);
          await delay(100);
        }
      },
    };
    return node;
  });
  const stop = (): void => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  await Promise.all(nodes.map((node) => node.start()));
  return {
    stop,
    url: nodes.map((node) => node.url).join(','),
    nodes,
    async connect() {
      const connection = await connect({ servers: nodes.map(({ url }) => url), maxReconnectAttempts: -1 });
      onTestFinished(() => connection.close());
      return connection;
    },
  };
}

/** Whether a node answers, and those of its cluster have agreed on a leader. */
async function hasStreams(url: string): Promise<boolean> {
  try {
    const connection = await connect({ servers: url, reconnect: false, timeout: 1000 });
    try {
      const { data } = await connection.request('$JS.API.STREAM.NAMES', '{}', { timeout: 1000 });
      return !new TextDecoder().decode(data).includes('"error"');
    } finally {
      await connection.close();
    }
  } catch (error) {
    // It is up, and lets the test in no more than others.
    return error instanceof AuthorizationError || /certificate/.test(String(error));
  }
}

/** Ports that were free a moment ago, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  try {
    return await Promise.all(
      servers.map(
        (server) =>
          new Promise<number>((resolve, reject) => {
            server.once('error', reject);
            server.listen(0, '127.0.0.1', () => {
              const address = server.address();
              resolve(typeof address === 'object' && address !== null ? address.port : 0);
            });
          }),
      ),
    );
  } finally {
    for (const server of servers) server.close();
  }
}
