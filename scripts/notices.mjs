import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Adds the licences of every package that ended up in the bundle: who ships code ships its notice.
 *
 * @param {string} fileName
 * @returns {import('rolldown').Plugin}
 */
export function notices(fileName = 'THIRD-PARTY-NOTICES.txt') {
  return {
    name: 'notices',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) =>
        chunk.type === 'chunk' ? Object.keys(chunk.modules) : [],
      );
      const bundled = modules.filter((module) => packageFolder(module) !== undefined && existsSync(module));
      const folders = new Set(bundled.map(packageFolder).filter((folder) => folder !== undefined));
      const texts = [...[...folders].sort().map(noticeOf), ...new Set(bundled.sort().flatMap(copiedFrom))];
      const source = texts.join('\n\n---\n\n');
      if (source !== '') this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/** @param {string} module */
function packageFolder(module) {
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1];
}

/**
 * What a file says at its beginning where it was copied from elsewhere.
 * @param {string} module
 * @returns {string[]}
 */
function copiedFrom(module) {
  const [, origin, notice] = /^(\/\/ Based on: .*)\n\/\*([\s\S]*?)\*\//.exec(readFileSync(module, 'utf8')) ?? [];
  if (origin === undefined || notice === undefined) return [];
  return [`${origin.slice(3)}\n\n${notice.trim().replace(/^ {2}/gm, '')}\n`];
}

/** @param {string} folder */
function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? missing[name] : readFileSync(join(folder, file), 'utf8');
  if (text === undefined) throw new Error(`${name} brings no licence text`);
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

/**
 * Packages that name their licence and its holder, and forget to bring the text.
 * @type {Readonly<Record<string, string>>}
 */
const missing = {
  '@cfworker/json-schema': `MIT License

Copyright (c) 2020 Jeremy Danyow

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
};
