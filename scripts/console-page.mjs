import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the page that the console begins with: the style sheets in one file, and HTML that names what was built. There
 * is no script and no style in the HTML itself, which is what the policy that it is served with allows.
 *
 * @param {string} folder
 * @returns {import('rolldown').Plugin}
 */
export function consolePage(folder) {
  return {
    name: 'console-page',
    generateBundle(_options, bundle) {
      const css = minified(styleSheets(join(folder, 'styles')));
      const style = `console-${createHash('sha256').update(css).digest('base64url').slice(0, 8)}.css`;
      this.emitFile({ type: 'asset', fileName: style, source: css });
      this.emitFile({ type: 'asset', fileName: 'icon.svg', source: readFileSync(join(folder, 'icon.svg'), 'utf8') });
      const script = entryNamed(bundle, 'console');
      const html = readFileSync(join(folder, 'index.html'), 'utf8')
        .replace('%STYLE%', `assets/${style}`)
        .replace('%SCRIPT%', `assets/${script}`)
        .replace('%MARKDOWN%', `assets/${entryNamed(bundle, 'markdown')}`);
      this.emitFile({ type: 'asset', fileName: 'index.html', source: html });
    },
  };
}

/**
 * @param {Record<string, { type: string, name?: string | undefined, fileName: string }>} bundle
 * @param {string} name
 */
function entryNamed(bundle, name) {
  const found = Object.values(bundle).find((one) => one.type === 'chunk' && one.name === name);
  if (found === undefined) throw new Error(`the console has no ${name}`);
  return found.fileName;
}

/**
 * The tokens first, then the base, and the pages after them in order of their names.
 *
 * @param {string} folder
 */
function styleSheets(folder) {
  const first = ['tokens.css', 'base.css'];
  const names = readdirSync(folder).filter((name) => name.endsWith('.css') && !first.includes(name));
  return [...first, ...names.sort()].map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

/**
 * Without comments and most white space. Compression does the rest.
 *
 * @param {string} css
 */
function minified(css) {
  return css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/;}/g, '}')
    .trim();
}
