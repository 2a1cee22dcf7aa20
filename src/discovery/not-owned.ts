import { agentFolders } from '../agents/folders.ts';
import { type Diagnostic, diagnostic } from '../core/diagnostics.ts';
import { isThere, statOf } from '../core/disk/files.ts';
import { below } from '../core/disk/paths.ts';
import { ownerOf, projectFiles } from '../core/disk/project.ts';
import { shellWord } from '../core/text/text.ts';

/** Files and folders that make a folder a project. */
const signs = [
  ...[...Object.values(projectFiles).flat(), 'skills', '.agents/plugins'],
  ...agentFolders.flatMap(({ project }) => project.filter((path) => !path.endsWith('*'))),
];

/** Diagnostics for a project's files and folders that belong to other users, and so are not read. */
export function notOwned(paths: readonly string[], folders: readonly string[]): Diagnostic[] {
  return [
    ...folders.flatMap((folder) => {
      // A working directory such as / says nothing; what lies in it and would be read does.
      const found = signs.find((sign) => isThere(below(folder, sign)));
      return found === undefined ? [] : [described(folder, `${found} and other project files here are`)];
    }),
    ...paths.map((path) => {
      const stats = statOf(path);
      const kind = stats.ok && stats.value.isFile() ? 'file' : 'folder';
      return described(path, `this ${kind} of the project is`);
    }),
  ];
}

function described(path: string, what: string): Diagnostic {
  const message = `${what} not read: it belongs to another user (${ownerOf(path) ?? 'unknown'})`;
  const remedy = `If you trust it, use --trusted-project ${shellWord(path)}, set REPERTOIRE_TRUSTED_PROJECTS, or add it to trusted_projects in your user file.`;
  return diagnostic('project-not-owned', path, message, remedy);
}
