import { type Diagnostic, diagnostic } from '../../kernel/diagnostics.ts';
import { isObject, readJson, textOf } from '../../kernel/documents.ts';

/** One entry of `installed_plugins.json`. */
export interface Installation {
  readonly scope: string;
  readonly installPath: string;
  readonly projectPath: string | undefined;
  readonly lastUpdated: string;
}

/** More than a plugin can have, and few enough to be quick. */
const mostInstallations = 100;

/** What Claude Code has installed, by `plugin@marketplace`. */
export function installedPlugins(file: string, diagnostics: Diagnostic[]): Map<string, Installation[]> {
  const found = new Map<string, Installation[]>();
  const read = readJson(file);
  const remedy = 'Correct the file, reinstall the plugin in Claude Code, or run with --no-plugins.';
  if (read.kind === 'invalid') diagnostics.push(diagnostic('plugin-file-invalid', file, read.message, remedy, read.at));
  if (read.kind !== 'value') return found;
  for (const [key, value] of entriesIn(read.value)) {
    const installation = key === null ? 'an entry has no name' : installationOf(value);
    if (typeof installation === 'string') {
      const message = key === null ? installation : `plugin "${key}": ${installation}`;
      diagnostics.push(diagnostic('plugin-file-invalid', file, message, remedy));
    } else {
      keep(found, key as string, installation);
    }
  }
  return found;
}

function keep(found: Map<string, Installation[]>, key: string, installation: Installation): void {
  const list = found.get(key);
  if (list === undefined) found.set(key, [installation]);
  else if (list.length < mostInstallations) list.push(installation);
}

/** The file has changed shape over time: a map of objects, a map of lists, a flat list. All are read. */
function entriesIn(top: unknown): [string | null, unknown][] {
  const wrapped = isObject(top) && top['plugins'] !== undefined;
  const plugins = wrapped ? top['plugins'] : top;
  if (Array.isArray(plugins)) return plugins.map((item) => [keyOf(item), item]);
  if (!isObject(plugins)) return [[null, plugins]];
  return Object.entries(plugins)
    .filter(([key]) => wrapped || key !== 'version')
    .flatMap(([key, value]) => (Array.isArray(value) ? value : [value]).map((item): [string, unknown] => [key, item]));
}

function keyOf(item: unknown): string | null {
  const name = isObject(item) ? textOf(item['name']) : undefined;
  const marketplace = isObject(item) ? textOf(item['marketplace']) : undefined;
  if (name === undefined) return null;
  return marketplace === undefined ? name : `${name}@${marketplace}`;
}

/** An installation, or what is wrong with the entry. */
function installationOf(value: unknown): Installation | string {
  if (!isObject(value)) return 'its entry is not an object';
  const path = textOf(value['installPath']);
  if (path === undefined) return 'it has no installPath';
  if (path.split(/[/\\]/).includes('..')) return 'its installPath contains ".."; it is not followed';
  return {
    scope: textOf(value['scope']) ?? 'user',
    installPath: path,
    projectPath: textOf(value['projectPath']),
    lastUpdated: textOf(value['lastUpdated']) ?? textOf(value['installedAt']) ?? '',
  };
}
