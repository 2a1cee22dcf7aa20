/**
 * What anyone would write first to look at folders, by the first argument: the least that the same work can cost. It tells
 * what it found and how long that took.
 */
const { readdirSync, readFileSync, statSync } = require('node:fs');

const [way = '', ...args] = process.argv.slice(2);

/**
 * Every folder listed, every entry looked at, nothing read.
 *
 * @param {string} folder
 * @param {(path: string, name: string) => void} [onFile]
 * @returns {number} how many entries there are
 */
function walk(folder, onFile) {
  let entries = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    entries++;
    statSync(path);
    if (entry.isDirectory()) entries += walk(path, onFile);
    else onFile?.(path, entry.name);
  }
  return entries;
}

/** @param {readonly string[]} folders */
function walkAll(folders) {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const entries = folders.reduce((sum, folder) => sum + walk(folder), 0);
  const { user, system } = process.cpuUsage(before);
  return { entries, wallMs: performance.now() - start, cpuMs: (user + system) / 1000 };
}

/** @type {Record<string, () => unknown>} */
const ways = {
  once: () => walkAll(args),
  /** Several times in one process, as a server looks at them again and again. */
  again: () => Array.from({ length: Number(args[0]) }, () => walkAll(args.slice(1))),
  /** Every SKILL.md read, its front matter cut out and handed to the YAML parser. */
  parse() {
    const { parse } = require('yaml');
    const found = [];
    for (const folder of args) {
      walk(folder, (path, name) => {
        if (name !== 'SKILL.md') return;
        const text = readFileSync(path, 'utf8');
        found.push(parse(text.slice(4, text.indexOf('\n---', 4))));
      });
    }
    return { skills: found.length };
  },
  /** Every file that is given, and every SKILL.md below a folder that is given, read whole and forgotten. */
  read() {
    const start = performance.now();
    let bytes = 0;
    const read = (/** @type {string} */ file) => {
      bytes += readFileSync(file).length;
    };
    for (const path of args) {
      if (statSync(path).isFile()) read(path);
      else walk(path, (file, name) => name === 'SKILL.md' && read(file));
    }
    return { bytes, wallMs: performance.now() - start };
  },
};

process.stdout.write(JSON.stringify(ways[way]?.()));
