/**
 * What anyone would write first to get skills and to look whether they are there, by the first argument: the least that the
 * same work can cost.
 */
const { execFileSync } = require('node:child_process');
const { cpSync, lstatSync, readdirSync, readFileSync } = require('node:fs');

const [way = '', ...args] = process.argv.slice(2);

/** @param {string} folder @param {(path: string) => void} onFile */
function walk(folder, onFile) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) walk(path, onFile);
    else onFile(path);
  }
}

/** @type {Record<string, () => unknown>} */
const ways = {
  /** A clone of a repository, and a copy of the skills in it. */
  clone() {
    const [repository = '', clone = '', target = ''] = args;
    execFileSync('git', ['clone', '--quiet', repository, clone]);
    cpSync(`${clone}/skills`, target, { recursive: true });
    return { skills: readdirSync(target).length };
  },
  /** The lock file read, and one look at each file of the skills that it names. */
  look() {
    const [lockFile = '', folder = ''] = args;
    const { skills } = JSON.parse(readFileSync(lockFile, 'utf8'));
    let files = 0;
    for (const name of Object.keys(skills)) {
      walk(`${folder}/${name}`, (path) => {
        files += lstatSync(path).isFile() ? 1 : 0;
      });
    }
    return { files };
  },
  /** Every file below a folder, read whole and forgotten. */
  read() {
    let bytes = 0;
    walk(args[0] ?? '', (path) => {
      bytes += readFileSync(path).length;
    });
    return { bytes };
  },
};

process.stdout.write(JSON.stringify(ways[way]?.()));
