import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type EgressProxy, startProxy } from '../egress/proxy.ts';
import type { Denial, RunSpec } from '../types.ts';
import { socketName, startBridge } from './bridge.ts';
import type { Engine, Walls } from './engine.ts';
import { containerName } from './names.ts';
import { remove } from './remove.ts';
import type { RunFolder } from './run-folder.ts';

/** The one way out of a container: its own proxy, and the bridge to it. */
export interface Egress {
  /** The network that the container joins. */
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
      // Nobody gets into the outer folder; the inner one is mounted, and used by a user that owns nothing.
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
