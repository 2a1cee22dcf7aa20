/** A folder of a skill's files. */
export interface Folder<F> {
  readonly name: string;
  readonly folders: readonly Folder<F>[];
  readonly files: readonly F[];
  /** Number of files in it and below. */
  readonly count: number;
}

interface Open<F> {
  readonly name: string;
  readonly folders: Map<string, Open<F>>;
  readonly files: F[];
}

/** Arranges files by their folders. Names are those of the files, whatever they contain. */
export function treeOf<F extends { readonly path: string }>(files: readonly F[]): Folder<F> {
  const top: Open<F> = { name: '', folders: new Map(), files: [] };
  for (const file of files) {
    let at = top;
    for (const name of file.path.split('/').slice(0, -1)) {
      const next = at.folders.get(name) ?? { name, folders: new Map(), files: [] };
      at.folders.set(name, next);
      at = next;
    }
    at.files.push(file);
  }
  return closed(top);
}

function closed<F>({ name, folders, files }: Open<F>): Folder<F> {
  const inner = [...folders.values()].map((one) => closed(one));
  return { name, folders: inner, files, count: files.length + inner.reduce((sum, one) => sum + one.count, 0) };
}
