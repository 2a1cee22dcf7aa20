import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { thisProcess } from '../../kernel/owner.ts';
import { type EgressProxy, startProxy } from '../egress/proxy.ts';
import { removeFolder } from '../linux/owner.ts';
import { folderPrefix } from '../linux/system-view.ts';
import type { Denial, RunSpec } from '../types.ts';
import { socketName, startBridge } from './bridge.ts';
import type { Engine } from './engine.ts';
import { containerName } from './names.ts';
import { remove } from './remove.ts';

/** The one way out of a container: its own proxy, and the bridge to it. */
export interface Egress {
  /** The network that the container joins. */
  open(engine: Engine, imageId: string): Promise<string>;
  denials(): readonly Denial[];
  close(engine: Engine, onLeft: (name: string) => void): Promise<void>;
}

export function egressFor(spec: RunSpec, parent: string): Egress {
  let folder: string | null = null;
  let proxy: EgressProxy | null = null;
  return {
    open: async (engine, imageId) => {
      folder = mkdtempSync(join(parent, `${folderPrefix}${thisProcess()}-`));
      // Nobody gets into the outer folder; the inner one is mounted, and used by a user that owns nothing.
      const inner = join(folder, 'egress');
      mkdirSync(inner);
      chmodSync(inner, 0o755);
      proxy = await startProxy({ rules: spec.network, socket: join(inner, socketName) });
      return `container:${await startBridge(engine, spec, imageId, inner)}`;
    },
    denials: () => proxy?.denials() ?? [],
    close: async (engine, onLeft) => {
      if (folder === null) return;
      const name = containerName(spec.id, 'bridge');
      if (!(await remove(engine, name))) onLeft(name);
      await proxy?.close();
      removeFolder(folder);
    },
  };
}
