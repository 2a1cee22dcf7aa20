import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { single } from '../report.mjs';

/**
 * What an install has to fetch, the embedding table included.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function packageSize() {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const told = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd, encoding: 'utf8' });
  const [{ size, unpackedSize, files }] = JSON.parse(told);
  if (!files.some(({ path }) => path.endsWith('.bin'))) throw new Error('the embedding table is not in the package');
  return [
    {
      name: 'packed, as it is fetched',
      note: `${(unpackedSize / 1e6).toFixed(1)} MB unpacked, ${files.length} files`,
      unit: 'MB',
      subject: single(size / 1e6),
      judged: 'subject',
      limit: 12,
    },
  ];
}
