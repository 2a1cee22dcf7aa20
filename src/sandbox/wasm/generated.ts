import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SkillError } from '../../kernel/errors.ts';
import { isThere } from '../../kernel/files.ts';
import { makeFolder } from '../../kernel/make-folder.ts';
import { bytesFile, draftIn, prune } from '../kept-folders.ts';
import { removeFolder } from '../linux/owner.ts';

/** The files that a component was turned into, by name, and what was said of it. */
export interface Generated {
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly said: object;
}

/** Where it stands what was said of a component. */
export const worldFile = 'world.json';

/** Takes apart what the transpiler has handed over. It was in the sandbox, and is not trusted in anything. */
export function unpack(bytes: Buffer): Generated {
  const end = bytes.indexOf(10);
  const head = headIn(bytes.subarray(0, Math.max(0, end)).toString('utf8'));
  const files: Record<string, Uint8Array> = {};
  let at = end + 1;
  for (const { name, length } of head.files) {
    // The names become names of files of ours.
    if (!/^[\w.-]{1,100}\.(?:js|wasm)$/.test(name) || name.startsWith('.')) throw broken(`a file named ${name}`);
    if (!Number.isSafeInteger(length) || length < 0 || at + length > bytes.length) throw broken('an empty file');
    files[name] = bytes.subarray(at, at + length);
    at += length;
  }
  if (files['component.js'] === undefined) throw broken('no program');
  return { files, said: head.said };
}

function headIn(text: string): { files: { name: string; length: number }[]; said: object } {
  try {
    const { files, ...said } = JSON.parse(text) as Omit<ReturnType<typeof headIn>, 'said'>;
    if (Array.isArray(files)) return { files, said };
  } catch {
    // said below
  }
  throw broken('something that cannot be read');
}

function broken(what: string): SkillError {
  return new SkillError('unavailable', `the WebAssembly component was turned into ${what}`, {
    hint: 'Check where the file comes from: it may be malicious.',
  });
}

/** Keeps them in a folder that is there whole or not at all. */
export function keep({ files, said }: Generated, folder: string): void {
  const base = dirname(folder);
  makeFolder(base);
  const draft = draftIn(base);
  try {
    const bytes = Object.values(files).reduce((sum, { length }) => sum + length, 0);
    const others = {
      [worldFile]: JSON.stringify(said),
      'package.json': '{"type":"module"}',
      [bytesFile]: String(bytes),
    };
    for (const [name, content] of Object.entries({ ...files, ...others })) {
      writeFileSync(join(draft, name), content);
      chmodSync(join(draft, name), 0o644);
    }
    // For the user that a run is, where we are root. The folder above is for nobody but us.
    chmodSync(draft, 0o755);
    renameSync(draft, folder);
    void prune(base);
  } catch (error) {
    removeFolder(draft);
    if (!isThere(folder)) throw error; // somebody else was quicker
  }
}
