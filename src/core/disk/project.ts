import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from '../attempt.ts';
import { type Environment, variable } from '../environment.ts';
import { shellWord } from '../text/text.ts';
import { realPathOrSelf } from './files.ts';
import { below, expandPath, isInside } from './paths.ts';

/**
 * The folders that belong to the project, nearest first: from the working directory up to the repository's root.
 * Outside of a repository it is the working directory alone, since nothing shows where the project would end. Folders
 * of other users do not count: a user who can write to a folder above could put skills and settings there.
 */
export function projectFolders(environment: Environment): readonly string[] {
  return reach(environment).folders.filter((folder) => isTrusted(folder, environment));
}

/** The folders that would belong to the project if they belonged to this user. */
export function foreignFolders(environment: Environment): readonly string[] {
  const { folders, refused } = reach(environment);
  const foreign = folders.filter((folder) => !isTrusted(folder, environment));
  return refused === null || foreign.includes(refused) ? foreign : [...foreign, refused];
}

/** The project files that configure us, the stronger name first. */
export const projectFiles = { settings: ['repertoire.toml'], manifest: ['.skill-engine.toml', 'skill-engine.toml'] };

/** The nearest readable project file with one of these names; null where there is none. */
export function nearestFile(names: readonly string[], environment: Environment): string | null {
  return filesNamed(names, environment).find((file) => isTrusted(file, environment)) ?? null;
}

/** The files in the project's own folders that would be read if they belonged to this user. */
export function foreignFiles(environment: Environment): readonly string[] {
  const names = Object.values(projectFiles).flat();
  return filesNamed(names, environment).filter((file) => !isTrusted(file, environment));
}

function filesNamed(names: readonly string[], environment: Environment): readonly string[] {
  const files = projectFolders(environment).flatMap((folder) => names.map((name) => below(folder, name)));
  return files.filter((file) => existsSync(file));
}

interface Reach {
  readonly folders: readonly string[];
  /** A repository further up that is not accepted as one. */
  readonly refused: string | null;
}

function reach(environment: Environment): Reach {
  const folders: string[] = [];
  for (let folder = environment.cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    const git = below(folder, '.git');
    if (existsSync(git)) {
      const isOurs = isTrusted(folder, environment) && isTrusted(git, environment);
      return isOurs ? { folders, refused: null } : { folders: [environment.cwd], refused: folder };
    }
    if (dirname(folder) === folder) return { folders: [environment.cwd], refused: null };
  }
}

/**
 * Tells whether a project's file or folder may be read: it belongs to this user, to the one who called sudo, or lies in
 * a folder that the user trusts, no matter who owns it. A missing file can do no harm.
 */
export function isTrusted(path: string, environment: Environment): boolean {
  const owner = ownerOf(path);
  const self = process.geteuid?.();
  if (owner === null || self === undefined || owner === self) return true;
  if (self === 0 && String(owner) === variable(environment, 'SUDO_UID')) return true;
  const trusted = environment.trustedProjects ?? [];
  const real = trusted.length === 0 ? path : realPathOrSelf(path);
  return trusted.some((folder) => isInside(realPathOrSelf(expandPath(folder, environment)), real));
}

/** The id of the user who owns a file; null where there is no file. */
export function ownerOf(path: string): number | null {
  // A file without a known owner cannot be read either.
  return attempt(() => statSync(path, { throwIfNoEntry: false })?.uid ?? null, null);
}

/** The command that gets a skill from a source, as the manifest of another product names it. */
export function addCommand(source: string): string {
  const [, host, name = source] = /^(github|gitlab|bitbucket):(.+)$/.exec(source) ?? [];
  const [, path = name, ref] = /^([^@]*[^@/:])@([^@/:]+)$/.exec(name) ?? [];
  const place =
    host === undefined || host === 'github' ? path : `https://${host}.${host === 'bitbucket' ? 'org' : 'com'}/${path}`;
  return ['repertoire add', shellWord(place), ...(ref === undefined ? [] : ['--ref', shellWord(ref)])].join(' ');
}
