import { readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { entriesOf, foldersIn } from '../core/disk/files.ts';
import { makeFolder } from '../core/disk/make-folder.ts';
import { channelFolder, stateFolder } from '../core/disk/own-folders.ts';
import { thisProcess } from '../core/disk/owner.ts';
import { putFile } from '../core/disk/replace.ts';
import type { Environment } from '../core/environment.ts';
import { readOwnFile } from '../core/schema/own-file.ts';
import { type Infer, list, literal, nullable, object, text, time } from '../core/schema/schema.ts';

/** A channel of a cluster as it is kept on this machine. */
export interface View {
  readonly environment: Environment;
  readonly cluster: string;
  readonly channel: string;
}

function folderOf({ environment, cluster, channel }: View): string {
  return channelFolder(environment, cluster, channel);
}

/** The path by which a skill is reached, whatever its version. */
export function pathIn(view: View, key: string): string {
  return join(folderOf(view), key.slice(key.indexOf('.') + 1));
}

/** Has the copy in a folder count as the skill of this key, in one step. Returns whether another one did before. */
export function place(view: View, key: string, target: string): boolean {
  const path = pathIn(view, key);
  if (targetOf(path) === target) return false;
  makeFolder(dirname(path));
  // Beside the folder, so that nobody finds the same skill twice.
  const draft = join(dirname(folderOf(view)), `.${thisProcess()}-${Math.random().toString(36).slice(2)}`);
  symlinkSync(target, draft, 'junction');
  renameSync(draft, path);
  return true;
}

/** Takes a skill away; its copy stays. Returns whether it was there. */
export function displace(view: View, key: string): boolean {
  const path = pathIn(view, key);
  if (targetOf(path) === null) return false;
  rmSync(path, { force: true });
  return true;
}

/** The keys of all skills that are placed. */
export function placed(view: View): readonly string[] {
  const entries = entriesOf(folderOf(view));
  return (entries.ok ? entries.value : []).map(({ name }) => `${view.channel}.${name}`);
}

function targetOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** The folders of all copies that count in some channel of some cluster. */
export function placedFolders(environment: Environment): readonly string[] {
  const clusters = join(stateFolder(environment), 'clusters');
  return foldersIn(clusters).flatMap((cluster) =>
    foldersIn(join(clusters, cluster)).flatMap((channel) => {
      const view = { environment, cluster, channel };
      return placed(view).flatMap((key) => targetOf(pathIn(view, key)) ?? []);
    }),
  );
}

const stateSchema = object({
  format: literal(1),
  /** The time when the catalogue was last compared with this. */
  followedAt: nullable(time()),
  /** The time since which the cluster has been out of reach; null where it is not. */
  lostSince: nullable(time()),
  failure: nullable(text()),
  problems: list(object({ key: text(), message: text() })),
});
export type ViewState = Omit<Infer<typeof stateSchema>, 'format'>;

function stateFile(view: View): string {
  return `${folderOf(view)}.json`;
}

export function readState(view: View): ViewState | null {
  return readOwnFile(stateSchema, stateFile(view), 4 * 1024 * 1024);
}

/** Notes how things stand, for whoever asks, in this process or another. */
export function noteState(view: View, news: Partial<ViewState>): void {
  const before = readState(view) ?? { followedAt: null, lostSince: null, failure: null, problems: [] };
  try {
    makeFolder(dirname(stateFile(view)));
    putFile(stateFile(view), `${JSON.stringify({ format: 1, ...before, ...news }, null, 2)}\n`);
  } catch {
    // Skills that cannot be written either are told of by themselves.
  }
}
