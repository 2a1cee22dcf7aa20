import { join } from 'node:path';
import { type Diagnostic, diagnostic } from '../../kernel/diagnostics.ts';
import { type DocumentResult, fieldOf, isObject, type JsonObject, readJson, textOf } from '../../kernel/documents.ts';
import { realPathOrSelf } from '../../kernel/files.ts';

/** Looks up what a marketplace says about a plugin. */
export type MarketplaceLookup = (marketplace: string, plugin: string) => JsonObject | undefined;

/** The catalogues of the marketplaces that Claude Code knows; each is read once, when first needed. */
export function marketplaceLookup(pluginsRoot: string, diagnostics: Diagnostic[]): MarketplaceLookup {
  let known: DocumentResult | undefined;
  const catalogues = new Map<string, readonly JsonObject[]>();
  return (marketplace, plugin) => {
    const entries = catalogues.get(marketplace) ?? catalogueOf(folderOf(marketplace), diagnostics);
    catalogues.set(marketplace, entries);
    return entries.find((entry) => entry['name'] === plugin);
  };

  function folderOf(marketplace: string): string {
    known ??= readNoted(join(pluginsRoot, 'known_marketplaces.json'), diagnostics);
    const record = fieldOf(known, marketplace);
    const place = isObject(record) ? textOf(record['installLocation']) : undefined;
    return place ?? join(pluginsRoot, 'marketplaces', marketplace);
  }
}

function readNoted(file: string, diagnostics: Diagnostic[], container?: string): DocumentResult {
  const read = readJson(file, container);
  if (read.kind === 'invalid') {
    const message = `the marketplace's list of plugins cannot be used: the file is ${read.message}`;
    diagnostics.push(
      diagnostic('plugin-file-invalid', file, message, 'Update the marketplace in Claude Code.', read.at),
    );
  }
  return read;
}

function catalogueOf(folder: string, diagnostics: Diagnostic[]): readonly JsonObject[] {
  const file = join(folder, '.claude-plugin', 'marketplace.json');
  const plugins = fieldOf(readNoted(file, diagnostics, realPathOrSelf(folder)), 'plugins');
  return Array.isArray(plugins) ? plugins.filter(isObject) : [];
}
