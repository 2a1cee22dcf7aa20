// Git takes any folder for a repository that holds certain names, and then runs commands that its settings name. In the
// folder of a stranger, the next `git status` would run the stranger's code.

/** Sets of names that make a folder a repository. A file `commondir` names another folder, which has the rest. */
const partSets = [
  ['head', 'objects', 'refs'],
  ['head', 'commondir'],
];
const parts = new Set(partSets.flat());

/** Whether an entry of this name can make a repository of the folder that it lies in, if letter case does not count. */
export function isRepositoryPart(name: string): boolean {
  return parts.has(name.toLowerCase());
}

/** Whether Git takes a folder with these names for a repository, whatever it is called itself. */
export function isRepository(names: readonly string[]): boolean {
  const there = new Set(names.filter(isRepositoryPart).map((name) => name.toLowerCase()));
  return partSets.some((set) => set.every((part) => there.has(part)));
}

/** The first folder, of those that files have these paths in, which is a repository; null where none is. */
export function repositoryIn(paths: readonly string[]): string | null {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const names = path.split('/');
    for (const [at, name] of names.entries()) {
      if (!isRepositoryPart(name)) continue;
      const folder = names.slice(0, at).join('/');
      folders.set(folder, [...(folders.get(folder) ?? []), name]);
    }
  }
  const found = [...folders].find(([, names]) => isRepository(names));
  return found === undefined ? null : found[0];
}
