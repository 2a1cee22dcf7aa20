import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isThere } from '../../kernel/files.ts';
import type { Mount } from '../../policy/types.ts';
import { loaderOf } from './elf.ts';

/** Where the engine lies inside. */
const folder = '/engine';
export const nodeInside = `${folder}/node`;
export const programInside = (name: string) => `${folder}/${name}`;
/** Whether something is there for the engine, and not for the guest. */
export const isOfEngine = (path: string) => path.startsWith(`${folder}/`);
export const moduleInside = `${folder}/module.wasm`;

/** So that the loader finds the libraries, which lie elsewhere than where it looks. Guests never see it. */
export const engineEnvironment = { LD_LIBRARY_PATH: `${folder}/lib` } as const;

/** Some distributions keep parts of Node itself in files. */
const partsOfNode = '/usr/share/nodejs';

let known: readonly Mount[] | null = null;

/** What it takes to run the very Node that this process is, and nothing else of the machine. */
export function engineFiles(): readonly Mount[] {
  known ??= [
    seen(process.execPath, nodeInside),
    ...libraries(),
    ...loader(),
    ...(isThere(partsOfNode) ? [seen(partsOfNode, partsOfNode)] : []),
  ];
  return known;
}

/** The folders that those lie in, which hold nothing else. Each can be closed when the engine has started. */
export function engineFolders(): readonly string[] {
  const folders = new Set([...engineFiles().map(({ target }) => dirname(target)), folder]);
  return [...folders].filter((one) => ![...folders].some((other) => one.startsWith(`${other}/`)));
}

function seen(source: string, target: string): Mount {
  return { source, target, access: 'read' };
}

function libraries(): readonly Mount[] {
  return librariesIn(readFileSync('/proc/self/maps', 'utf8'))
    .filter(isThere)
    .map((path) => seen(path, `${folder}/lib/${nameToLoader(basename(path))}`));
}

/** The libraries that a process has loaded, by the kernel's list of its memory. */
export function librariesIn(maps: string): readonly string[] {
  const paths = maps.split('\n').map((line) => line.replace(/^(?:\S+\s+){5}/, ''));
  return [...new Set(paths.filter((path) => path.startsWith('/') && /\.so(\.[\d.]+)?$/.test(path)))];
}

/** Programs ask for `libx.so.6`, whatever the file is called that this leads to. */
export function nameToLoader(name: string): string {
  return /^(.*\.so\.\d+)\./.exec(name)?.[1] ?? name;
}

function loader(): readonly Mount[] {
  const path = loaderOf(process.execPath);
  return path === null ? [] : [seen(path, path)];
}
