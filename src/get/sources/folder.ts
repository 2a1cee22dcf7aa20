import { type Dirent, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { entriesOf, readRegularFile, realPathOf, statOf } from '../../core/disk/files.ts';
import { displayPath } from '../../core/disk/paths.ts';
import { SkillError } from '../../core/errors.ts';
import { byText, grouped } from '../../core/text/text.ts';
import type { Fetching, Found } from './fetching.ts';
import type { Limits } from './limits.ts';
import { isSkipped, type Tree, type TreeEntry, takeSkills } from './tree.ts';
import type { Origin, Source } from './types.ts';

/** Copies the skills of a folder, so that what is looked at is what is placed. */
export async function fetchFolder(source: Source, fetching: Fetching): Promise<Found> {
  const { files, environment, limits, pinned, onPlaced } = fetching;
  const tree = openFolder(source.place, displayPath(source.place, environment), limits);
  const path = source.path ?? pinned?.path;
  const asked = { what: source.text, name: basename(tree.folder), path, limits, onPlaced };
  const taken = await takeSkills(tree, files, asked);
  const origin = { kind: 'folder', source: source.text, url: tree.folder } as const;
  return {
    ...taken,
    origin,
    skills: taken.skills.map((skill) => ({ ...skill, origin: { ...origin, path: skill.path } })),
  };
}

/** A folder on this machine as a tree. */
export function openFolder(place: string, shown: string, limits: Limits): Tree & { readonly folder: string } {
  const real = realPathOf(place);
  if (!real.ok) throw new SkillError('not-found', `${shown}: there is no such folder`);
  const stats = statOf(real.value);
  if (!stats.ok || !stats.value.isDirectory()) {
    throw new SkillError('usage', `${shown}: is neither a folder nor an archive`, {
      hint: 'Name a folder, or a .zip, .tar.gz or .skill file.',
    });
  }
  const folder = real.value;
  const entries: TreeEntry[] = [];
  for (const entry of walk(folder, '', limits.depth)) {
    entries.push(entry);
    if (entries.length > limits.entries) {
      const message = `${shown}: there are more than ${grouped(limits.entries)} files`;
      throw new SkillError('usage', message, { hint: 'Name the folder of the skill itself.' });
    }
  }
  return {
    folder,
    entries,
    async place(wanted, placer) {
      for (const { path, kind, isExecutable } of wanted) {
        const file = join(folder, path);
        if (kind === 'link') placer.addLink(path, readlinkSync(file));
        else if (kind === 'other') placer.report(path, 'it is a device, a pipe or a socket');
        else {
          const read = readRegularFile(file, limits.fileBytes);
          if (read.ok) placer.putFile(path, isExecutable || (read.value.stats.mode & 0o100) !== 0, read.value.bytes);
          else placer.report(path, `it cannot be read (${read.reason})`);
        }
      }
    },
  };
}

/** Every file and link in a folder, in order. */
function* walk(folder: string, path: string, depth: number): Generator<TreeEntry> {
  const listed = depth < 0 ? null : entriesOf(join(folder, path));
  const entries = listed?.ok ? listed.value.sort((one, other) => byText(one.name, other.name)) : [];
  for (const entry of entries) {
    const below = path === '' ? entry.name : `${path}/${entry.name}`;
    if (isSkipped(below)) continue;
    if (entry.isDirectory()) yield* walk(folder, below, depth - 1);
    else yield { path: below, kind: kindOf(entry), isExecutable: false, id: below };
  }
}

function kindOf(entry: Dirent): TreeEntry['kind'] {
  return entry.isSymbolicLink() ? 'link' : entry.isFile() ? 'file' : 'other';
}

/** A folder is what it is now: whoever wants to know whether it changed compares the files. */
export async function newestOfFolder(source: Source): Promise<Origin> {
  return { kind: 'folder', source: source.text, url: source.place };
}
