import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

/** Adds the licences of every package that ended up in the bundle: who ships code ships its notice. */
export function notices(): Plugin {
  return {
    name: 'notices',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) =>
        chunk.type === 'chunk' ? Object.keys(chunk.modules) : [],
      );
      const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== null));
      const texts = [...folders].sort().map(noticeOf);
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source: texts.join('\n\n---\n\n') });
    },
  };
}

function packageFolder(module: string): string | null {
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1] ?? null;
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined || !existsSync(join(folder, file))) throw new Error(`${name} brings no licence text`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
