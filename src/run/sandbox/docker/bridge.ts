import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainerCreateOptions } from 'dockerode';
import { realPathOf } from '../../../core/disk/files.ts';
import type { Mount } from '../../policy/types.ts';
import { type EgressProxy, startProxy } from '../egress-proxy.ts';
import { bridgeConnections, proxyPort } from '../linux/arguments.ts';
import { findProgram } from '../linux/system-view.ts';
import type { Denial, RunSpec } from '../types.ts';
import type { EngineInfo } from './ability.ts';
import { closedFolders, hardened, mounted, type RunFolder } from './container.ts';
import { containerName, create, type Engine, remove, type Walls } from './engine.ts';
import { attach, demultiplexer } from './life.ts';

/** The folder where the bridge sees the proxy's socket. */
const socketFolder = '/egress';

/** Folders of the host that its programs need to run, mounted at the same paths. */
const systemFolders = ['/usr', '/lib', '/lib64', '/lib32'];

const listeningWord = /\blistening on\b/;
const mebibyte = 1024 * 1024;

/** Limits of a bridge, which needs little: one process per connection. */
const limits = { memoryBytes: 64 * mebibyte, processes: bridgeConnections + 8, fileBytes: mebibyte };

interface Bridge {
  readonly imageId: string;
  /** The folder that holds the proxy's socket. */
  readonly folder: string;
  readonly walls: Walls;
}

/**
 * Starts the container that holds the network of a tool. That network contains only a program that accepts connections
 * and forwards them to the proxy; the tool's own container joins it later and never sees the socket. The program is the
 * host's, because images cannot be relied on to have one.
 */
async function startBridge(engine: Engine, spec: RunSpec, { imageId, folder, walls }: Bridge): Promise<string> {
  const program = findProgram('socat');
  if (program === null) throw new Error('network access needs socat, which is not installed: apt-get install socat');
  const name = containerName(spec.id, 'bridge');
  const options = bridgeFor(hardened(limited(spec), engine.info, 'bridge', walls), engine.info, program, folder);
  const container = await create(engine, { ...options, name, Image: imageId });
  const socket = await attach(engine, container.id, ['stderr']);
  const listening = new Promise<void>((settle, fail) => {
    let said = '';
    const demultiplex = demultiplexer((_stream, bytes) => {
      said = (said + bytes.toString('latin1')).slice(-4096);
      if (listeningWord.test(said)) settle();
    });
    socket.on('data', demultiplex);
    socket.on('error', fail);
    socket.on('close', () => fail(new Error(`the bridge to the proxy cannot be started: ${said.trim()}`)));
  });
  try {
    await Promise.all([listening, container.start()]);
  } finally {
    socket.destroy();
  }
  return container.id;
}

function limited(spec: RunSpec): RunSpec {
  return { ...spec, limits: { ...spec.limits, ...limits } };
}

function bridgeFor(
  common: ContainerCreateOptions,
  info: EngineInfo,
  program: string,
  folder: string,
): ContainerCreateOptions {
  const listen = `TCP-LISTEN:${proxyPort},bind=127.0.0.1,reuseaddr,fork,max-children=${bridgeConnections}`;
  const binds = [...systemFolders.flatMap(shown), { source: folder, target: socketFolder, access: 'read' } as const];
  return {
    ...common,
    // `-d` is given twice because socat otherwise does not report when it listens.
    Entrypoint: [program, '-d', '-d', listen, `UNIX-CONNECT:${socketFolder}/${socketName}`],
    Cmd: [],
    Env: [],
    WorkingDir: '/',
    HostConfig: { ...common.HostConfig, ...mounted(binds), Tmpfs: closedFolders(info, []) },
  };
}

const socketName = 'proxy.sock';

/** Mounts a folder of the host at its own path, with links resolved: on some systems these folders are links. */
function shown(path: string): Mount[] {
  const real = realPathOf(path);
  return real.ok ? [{ source: real.value, target: path, access: 'read' }] : [];
}

/** The only way out of a container: its own proxy, and the bridge to it. */
export interface Egress {
  /** Opens the way out and returns the network that the container joins. */
  open(engine: Engine, imageId: string, walls: Walls): Promise<string>;
  denials(): readonly Denial[];
  close(engine: Engine, onLeft: (name: string) => void): Promise<void>;
}

export function egressFor(spec: RunSpec, folder: RunFolder): Egress {
  let isOpen = false;
  let proxy: EgressProxy | null = null;
  return {
    open: async (engine, imageId, walls) => {
      isOpen = true;
      // The outer folder is closed to everyone; the inner one is mounted, and used by a user that owns nothing.
      const inner = join(folder.path(), 'egress');
      mkdirSync(inner);
      chmodSync(inner, 0o755);
      proxy = await startProxy({ rules: spec.network, socket: join(inner, socketName) });
      return `container:${await startBridge(engine, spec, { imageId, folder: inner, walls })}`;
    },
    denials: () => proxy?.denials() ?? [],
    close: async (engine, onLeft) => {
      if (!isOpen) return;
      const name = containerName(spec.id, 'bridge');
      if (!(await remove(engine, name))) onLeft(name);
      await proxy?.close();
    },
  };
}
