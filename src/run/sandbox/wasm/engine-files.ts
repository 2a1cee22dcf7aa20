import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isThere } from '../../../core/disk/files.ts';
import type { Limits, Mount } from '../../policy/types.ts';

/** The folder of the engine inside. */
const folder = '/engine';
export const nodeInside = `${folder}/node`;
export const programInside = (name: string) => `${folder}/${name}`;
/** Tells whether a path is there for the engine and not for the guest. */
export const isOfEngine = (path: string) => path.startsWith(`${folder}/`);
export const moduleInside = `${folder}/module.wasm`;

/** The environment in which the loader finds the libraries at their unusual places. Guests never see it. */
export const engineEnvironment = { LD_LIBRARY_PATH: `${folder}/lib` } as const;

/** The folder in which some distributions keep parts of Node itself. */
const partsOfNode = '/usr/share/nodejs';

let known: readonly Mount[] | null = null;

/** The files needed to run exactly the Node of this process, and nothing else of the machine. */
export function engineFiles(): readonly Mount[] {
  known ??= [
    seen(process.execPath, nodeInside),
    ...libraries(),
    ...loader(),
    ...(isThere(partsOfNode) ? [seen(partsOfNode, partsOfNode)] : []),
  ];
  return known;
}

/** The folders of those files, which hold nothing else. Each can be closed when the engine has started. */
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

/** The libraries that a process has loaded, from the kernel's list of its memory mappings. */
export function librariesIn(maps: string): readonly string[] {
  const paths = maps.split('\n').map((line) => line.replace(/^(?:\S+\s+){5}/, ''));
  return [...new Set(paths.filter((path) => path.startsWith('/') && /\.so(\.[\d.]+)?$/.test(path)))];
}

/** The name by which programs request a library: `libx.so.6`, whatever the file behind it is called. */
export function nameToLoader(name: string): string {
  return /^(.*\.so\.\d+)\./.exec(name)?.[1] ?? name;
}

function loader(): readonly Mount[] {
  const path = loaderOf(process.execPath);
  return path === null ? [] : [seen(path, path)];
}

const programInterpreter = 3;

/**
 * The loader that a program names as its own: it must exist under exactly that name for the program to start. Null for
 * a program that needs none, and for anything that is no 64-bit ELF file.
 */
export function loaderOf(file: string): string | null {
  const descriptor = openSync(file, 'r');
  const read = (length: number, position: number) => {
    const bytes = Buffer.alloc(length);
    readSync(descriptor, bytes, 0, length, position);
    return bytes;
  };
  try {
    return loaderIn(read);
  } finally {
    closeSync(descriptor);
  }
}

function loaderIn(read: (length: number, position: number) => Buffer): string | null {
  const head = read(64, 0);
  const [is64, isLittle] = [head[4] === 2, head[5] === 1];
  if (head.toString('latin1', 0, 4) !== '\x7fELF' || !is64 || !isLittle) return null;
  const table = Number(head.readBigUInt64LE(32));
  const size = head.readUInt16LE(54);
  const count = head.readUInt16LE(56);
  for (let at = 0; at < count; at++) {
    const entry = read(56, table + at * size);
    if (entry.readUInt32LE(0) !== programInterpreter) continue;
    const path = read(Math.min(Number(entry.readBigUInt64LE(32)), 4096), Number(entry.readBigUInt64LE(8)));
    return path.toString('utf8').replace(/\0.*$/s, '');
  }
  return null;
}

const pageBytes = 65_536;
/** Number of memory pages that can be addressed. */
const mostPages = 65_536;

/** Heap for the engine's own objects; a guest can only create tables there. */
const heapMegabytes = 64;
/** Heap for generated JavaScript, which keeps data passing through it there, and for transpiling, which takes a lot. */
export const scriptMegabytes = 512;

/** Bytes that the engine needs beside the memory of a guest, at most. */
export const engineBytes = 256 * 1024 * 1024;

/** The flags that make Node keep a guest within its limits. */
export function nodeFlags(limits: Pick<Limits, 'memoryBytes'>, megabytes = heapMegabytes): readonly string[] {
  const pages = Math.min(mostPages, Math.max(1, Math.floor(limits.memoryBytes / pageBytes)));
  return [
    '--no-warnings',
    '--no-addons',
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${megabytes}`,
    `--wasm-max-mem-pages=${pages}`,
  ];
}

/** The limits of the process as a whole: only an engine that went astray would exceed them. */
export function processLimits(limits: Limits, megabytes = heapMegabytes): Limits {
  const heapBytes = Math.max(0, megabytes - heapMegabytes) * 1024 * 1024;
  return { ...limits, memoryBytes: limits.memoryBytes + heapBytes + engineBytes };
}
