import type { ContainerInspectInfo } from 'dockerode';
import { settlesWithin } from '../../kernel/settles-within.ts';
import type { Mount } from '../../policy/types.ts';
import { couldTurn } from '../folder-reach.ts';
import { isPodman } from './ability.ts';
import { type Engine, statusOf } from './engine.ts';
import { remove } from './remove.ts';

/** How long an engine may take to tell of a container. */
const tellMs = 10_000;

/** Those whose processes have ended change nothing any more; those that were created may be about to start. */
const ended: ReadonlySet<string> = new Set(['exited', 'dead']);

/**
 * Removes those of these containers, whose runs are over, that could still turn a folder that is about to be mounted into a
 * link. Throws where the engine does not remove one of them.
 */
export async function freeFolders(engine: Engine, others: Iterable<string>, mounts: readonly Mount[]): Promise<void> {
  await Promise.all([...others].map((id) => free(engine, id, mounts)));
}

async function free(engine: Engine, id: string, mounts: readonly Mount[]): Promise<void> {
  const { name, writable } = await lookAt(engine, id);
  const folder = writable.find((source) => source === null || mounts.some((mount) => couldTurn(source, mount)));
  if (folder === undefined || (await remove(engine, id))) return;
  const where = folder === null ? 'folders that the engine does not tell' : folder;
  throw new Error(
    `the container ${name}, whose run is over, may still change ${where}, and the engine does not remove it; remove it with \`${removal(engine, name)}\``,
  );
}

interface Seen {
  readonly name: string;
  /** Null for what is not known. */
  readonly writable: readonly (string | null)[];
}

async function lookAt({ docker }: Engine, id: string): Promise<Seen> {
  const asked = docker.getContainer(id).inspect();
  try {
    return (await settlesWithin(tellMs, asked)) ? seenIn(await asked) : { name: id, writable: [null] };
  } catch (error) {
    return { name: id, writable: statusOf(error) === 404 ? [] : [null] };
  }
}

/** Whatever is missing in what an engine tells may be anything. */
function seenIn({ Name, State, Mounts }: Partial<ContainerInspectInfo> & { readonly Name: string }): Seen {
  const name = Name.replace(/^\//, '');
  if (State !== undefined && ended.has(State.Status)) return { name, writable: [] };
  const writable = Mounts?.filter(({ RW }) => RW).map(({ Source }) => Source || null);
  return { name, writable: writable ?? [null] };
}

function removal({ info, socket }: Engine, name: string): string {
  return isPodman(info)
    ? `podman --url unix://${socket} rm --force ${name}`
    : `docker --host unix://${socket} rm --force ${name}`;
}
