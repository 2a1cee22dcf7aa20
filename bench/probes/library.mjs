import { createRepertoire } from '../../dist/lib/index.js';

/**
 * The library as a probe sees it: the machine through this process's home and working directory, or, with a folder
 * given, that folder alone as one root.
 *
 * @param {string} [folder]
 */
export function openRepertoire(folder) {
  const only = folder ? { skillDirs: [folder], scanDefaultDirs: false, skipPlugins: true } : {};
  return createRepertoire({ autoRefresh: false, ...only });
}

/** What a probe tells the figure that started it. @param {unknown} result */
export function tell(result) {
  process.stdout.write(JSON.stringify(result));
}
