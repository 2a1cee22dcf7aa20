import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isThere } from '../../kernel/files.ts';
import { thisProcess } from '../../kernel/owner.ts';
import type { CgroupPlace } from './cgroup.ts';
import { firstKind, type Kind, second } from './cgroup-kinds.ts';

const ours = 'repertoire';

/** Where groups may be made on this machine, the newer kind first; null where only limits per process are to be had. */
export function findCgroupPlace(root = '/sys/fs/cgroup', membership = '/proc/self/cgroup'): CgroupPlace | null {
  const text = textOf(membership);
  return secondKindIn(root, text) ?? firstKindIn(root, text);
}

/** On the newer kind: as high as we may write, so that what is left behind is found again. */
function secondKindIn(root: string, membership: string): CgroupPlace | null {
  if (!isThere(join(root, 'cgroup.controllers'))) return null;
  const own = /^0::(\/.*)$/m.exec(membership)?.[1] ?? '/';
  for (const folder of highestFirst(root, join(root, own))) {
    if (!isWritable(folder) || !isWritable(join(folder, 'cgroup.procs'))) continue;
    const place = join(folder, ours);
    if (offers(folder, second) && prepared(place) && offers(place, second) && isUsable(place)) {
      const folders = Object.fromEntries(second.controllers.map((name) => [name, place]));
      return { kind: second, folders, own: listIn(join(root, own)) };
    }
  }
  return null;
}

function firstKindIn(root: string, membership: string): CgroupPlace | null {
  const folders: Record<string, string> = {};
  for (const controller of firstKind.controllers) {
    const tree = join(root, controller);
    const place = join(tree, ours);
    if (!isThere(join(tree, 'cgroup.procs')) || !isWritable(tree) || !prepared(place) || !isUsable(place)) return null;
    folders[controller] = place;
  }
  const own = /^\d+:pids:(\/.*)$/m.exec(membership)?.[1];
  return { kind: firstKind, folders, own: own === undefined ? null : listIn(join(root, 'pids', own)) };
}

function listIn(folder: string): string | null {
  const file = join(folder, 'cgroup.procs');
  return isWritable(file) ? file : null;
}

function highestFirst(root: string, own: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = own; folder.startsWith(root); folder = dirname(folder)) folders.unshift(folder);
  return folders;
}

/** Whether the groups below have the controllers, if need be after asking for them. */
function offers(folder: string, kind: Kind): boolean {
  const file = join(folder, 'cgroup.subtree_control');
  const lacking = () => {
    const there = textOf(file).split(/\s+/);
    return kind.controllers.filter((controller) => !there.includes(controller));
  };
  if (lacking().length === 0) return true;
  try {
    writeFileSync(
      file,
      lacking()
        .map((controller) => `+${controller}`)
        .join(' '),
    );
  } catch {
    return false;
  }
  return lacking().length === 0;
}

function prepared(folder: string): boolean {
  try {
    if (!isThere(folder)) mkdirSync(folder);
    return true;
  } catch {
    return isThere(folder);
  }
}

function isUsable(folder: string): boolean {
  const trial = join(folder, `${thisProcess()}-trial`);
  try {
    mkdirSync(trial);
    rmdirSync(trial);
    return true;
  } catch {
    return false;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
