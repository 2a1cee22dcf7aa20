import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fieldOf, readJson } from '../../kernel/documents.ts';
import { SkillError } from '../../kernel/errors.ts';
import type { Mount } from '../../policy/types.ts';

/** What turns components into something that can be run, and what offers them their system interface. */
export const transpilerPackage = '@bytecodealliance/jco-transpile';
export const shimPackage = '@bytecodealliance/preview2-shim';

/** A package that the user has installed: a file of it inside, and what has to be seen for it. */
export interface Found {
  readonly file: string;
  readonly bind: Mount;
  /** Where it is and of which version, for whoever has to tell two of them apart. */
  readonly identity: string;
}

export interface Addon {
  readonly transpiler: Found;
  readonly shim: Found;
}

/** Looks for the packages in each folder in turn. What is found runs in the sandbox only, like what it is given. */
export function findAddon(folders: readonly string[]): Addon {
  for (const folder of folders) {
    const transpiler = resolved(folder, `${transpilerPackage}/component`);
    const shim = resolved(folder, `${shimPackage}/instantiation`);
    if (transpiler === null || shim === null) continue;
    return { transpiler: withNeighbours(transpiler), shim: byItself(shim) };
  }
  throw new SkillError('unavailable', 'WebAssembly components need an add-on, which is not installed', {
    hint: `Install it: npm install ${transpilerPackage} ${shimPackage} (about 100 MB), here or with -g.`,
  });
}

/** Where packages may have been installed: by the user for us, with us, for everybody, or for the project. */
export function addonFolders(configured: string | undefined, own: string, cwd: string): readonly string[] {
  const everybody = join(dirname(dirname(process.execPath)), 'lib');
  return [...(configured === undefined ? [] : [configured]), dirname(own), everybody, cwd];
}

function resolved(folder: string, name: string): string | null {
  try {
    return realpathSync(createRequire(join(folder, 'from.js')).resolve(name));
  } catch {
    return null;
  }
}

/** With all that was installed with it, since it needs packages of its own. */
function withNeighbours(file: string): Found {
  const at = file.indexOf('/node_modules/');
  const source = at < 0 ? packageFolder(file) : `${file.slice(0, at)}/node_modules`;
  const target = '/engine/addon/node_modules';
  return {
    file: join(target, relative(source, file)),
    bind: { source, target, access: 'read' },
    identity: identityOf(file),
  };
}

function byItself(file: string): Found {
  const source = packageFolder(file);
  const target = `/engine/node_modules/${shimPackage}`;
  return {
    file: join(target, relative(source, file)),
    bind: { source, target, access: 'read' },
    identity: identityOf(file),
  };
}

function identityOf(file: string): string {
  const folder = packageFolder(file);
  const version = fieldOf(readJson(join(folder, 'package.json')), 'version');
  return `${folder}@${typeof version === 'string' ? version : ''}`;
}

function packageFolder(file: string): string {
  const folder = dirname(file);
  return folder === file || existsSync(join(folder, 'package.json')) ? folder : packageFolder(folder);
}
