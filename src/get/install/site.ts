import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { linkStatOf } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { below } from '../../core/disk/paths.ts';
import { addFile, replaceFile } from '../../core/disk/replace.ts';
import { SkillError } from '../../core/errors.ts';
import { isObject, readJson } from '../../core/formats/documents.ts';
import { sha256 } from '../../core/hash.ts';
import { byText } from '../../core/text/text.ts';
import { indexSchemaUrl } from '../sources/web/well-known.ts';
import { archiveOf } from './archive.ts';
import { folderNameOf } from './places.ts';
import type { Kept } from './store.ts';

/** A skill to publish. */
export interface Published {
  readonly name: string;
  readonly description: string;
  readonly kept: Kept;
}

/**
 * Writes skills into a folder that any web server can serve: archives with their digests in the index of well-known
 * addresses, and plain files in the older one, which some agents read alone. The indexes come last, and what they name
 * of other skills stays.
 */
export function writeSite(folder: string, skills: readonly Published[]): readonly string[] {
  const [newer, older] = ['.well-known/agent-skills', '.well-known/skills'].map((path) => join(folder, path)) as [
    string,
    string,
  ];
  const written: string[] = [];
  const put = (path: string, write: () => void): void => {
    makeFolder(dirname(path), 0o755);
    write();
    written.push(path);
  };
  const entries = skills.map(({ name, description, kept }) => {
    const bytes = archiveOf(kept, '');
    const digest = sha256(bytes);
    // Named for its digest too, so that whoever has the old index still gets what that says.
    const file = `${folderNameOf(name)}-${digest.slice(0, 16)}.zip`;
    put(join(newer, file), () => writeFileSync(join(newer, file), bytes));
    for (const path of Object.keys(kept.files)) {
      const target = join(older, folderNameOf(name), path);
      put(target, () => copyFileSync(below(kept.folder, path), target));
    }
    return { name, type: 'archive', description, url: file, digest: `sha256:${digest}` };
  });
  const plain = skills.map(({ name, description, kept }) => ({
    ...{ name: folderNameOf(name), description, files: Object.keys(kept.files).sort(byText) },
  }));
  putIndex(join(newer, 'index.json'), { $schema: indexSchemaUrl }, entries);
  putIndex(join(older, 'index.json'), {}, plain);
  return [...written, join(newer, 'index.json'), join(older, 'index.json')];
}

function putIndex(file: string, head: object, entries: readonly { readonly name: string }[]): void {
  const found = readJson(file);
  if (found.kind === 'invalid') throw new SkillError('unreadable', `${file}: ${found.message}`);
  const value = found.kind === 'value' && isObject(found.value) ? found.value : {};
  const before = Array.isArray(value['skills']) ? value['skills'].filter(isObject) : [];
  const kept = before.filter((one) => !entries.some(({ name }) => name === one['name']));
  const skills = [...kept, ...entries].sort((a, b) => byText(String(a['name' as never]), String(b['name' as never])));
  const text = `${JSON.stringify({ ...head, ...value, ...head, skills }, null, 2)}\n`;
  makeFolder(dirname(file), 0o755);
  const stats = linkStatOf(file);
  const problem = stats.ok ? replaceFile(file, text, stats.value) : added(file, text);
  if (problem !== null) throw new SkillError('unwritable', `${file} cannot be written (${problem})`);
}

function added(file: string, text: string): null {
  addFile(file, text, 0o644);
  return null;
}
