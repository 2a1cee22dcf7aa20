import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packageFile } from '../../core/disk/package-file.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { takesGzip } from './answers.ts';
import { pageHeaders } from './headers.ts';

/** A file of the console, as it is sent. */
interface Asset {
  readonly bytes: Buffer;
  readonly zipped: Buffer;
  readonly type: string;
  /** The `Cache-Control` value; a name with a digest in it never means anything else. */
  readonly cache: string;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Reads the files that a browser needs, by their paths. There are a few, and no others are ever read. */
export function readAssets(): ReadonlyMap<string, Asset> {
  const page = packageFile('dist/ui/index.html');
  if (page === undefined) {
    throw new SkillError('unavailable', 'the files of the console are not installed', {
      hint: 'Install the package again, or serve without it: --console off',
    });
  }
  const folder = join(page, '..');
  try {
    const names = readdirSync(folder).filter((name) => extensionOf(name) in types);
    return new Map(names.map((name) => [pathOf(name), assetOf(join(folder, name), name)]));
  } catch (error) {
    throw new SkillError('unreadable', `the files of the console cannot be read (${reasonOf(error)})`);
  }
}

function pathOf(name: string): string {
  return name === 'index.html' ? '/' : `/assets/${name}`;
}

function assetOf(path: string, name: string): Asset {
  const bytes = readFileSync(path);
  const cache = name.includes('-') ? 'public, max-age=31536000, immutable' : 'no-cache';
  return { bytes, zipped: gzipSync(bytes, { level: 9 }), type: types[extensionOf(name)] ?? '', cache };
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

export function answerAsset({ request, response }: Exchange, { bytes, zipped, type, cache }: Asset): void {
  const isZipped = takesGzip(request);
  const body = isZipped ? zipped : bytes;
  response.writeHead(200, {
    ...pageHeaders,
    'Content-Type': type,
    'Content-Length': body.length,
    'Cache-Control': cache,
    Vary: 'Accept-Encoding',
    ...(isZipped ? { 'Content-Encoding': 'gzip' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
