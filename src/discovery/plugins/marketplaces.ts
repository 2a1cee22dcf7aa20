import { join } from 'node:path';
import { type DocumentResult, fieldOf, isObject, type JsonObject, readJson, textOf } from '../../kernel/documents.ts';

/** Looks up what a marketplace says about a plugin. */
export type MarketplaceLookup = (marketplace: string, plugin: string) => JsonObject | undefined;

/** The catalogues of the marketplaces that Claude Code knows; each is read once, when first needed. */
export function marketplaceLookup(pluginsRoot: string): MarketplaceLookup {
  let known: DocumentResult | undefined;
  const catalogues = new Map<string, readonly JsonObject[]>();
  return (marketplace, plugin) => {
    const entries = catalogues.get(marketplace) ?? catalogueOf(folderOf(marketplace));
    catalogues.set(marketplace, entries);
    return entries.find((entry) => entry['name'] === plugin);
  };

  function folderOf(marketplace: string): string {
    known ??= readJson(join(pluginsRoot, 'known_marketplaces.json'));
    const record = fieldOf(known, marketplace);
    const place = isObject(record) ? textOf(record['installLocation']) : undefined;
    return place ?? join(pluginsRoot, 'marketplaces', marketplace);
  }
}

function catalogueOf(folder: string): readonly JsonObject[] {
  const plugins = fieldOf(readJson(join(folder, '.claude-plugin', 'marketplace.json')), 'plugins');
  return Array.isArray(plugins) ? plugins.filter(isObject) : [];
}
