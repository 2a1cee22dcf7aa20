import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Some registries serve only the platform they are asked from. npm then leaves the binaries of other platforms out of
// the lockfile, and `npm ci` refuses it. They are added here, by what their names say; run this after `npm install`, with
// the folder of the lockfile if it is not the project's own.
const folder = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const file = join(folder, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = [
  'arm64',
  'armv7',
  'arm',
  'x64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'universal',
];

/** `@scope/tool-linux-x64-musl` runs on linux, x64, musl. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = systems.filter((one) => words.includes(one));
  const cpu = processors.filter(
    (one) => one !== 'universal' && words.some((word) => word === one || (one === 'arm' && word === 'armv7')),
  );
  const libc =
    words.includes('musl') || words.includes('musleabihf')
      ? ['musl']
      : words.includes('gnu') || words.includes('gnueabihf')
        ? ['glibc']
        : [];
  return { ...(os.length > 0 && { os }), ...(cpu.length > 0 && { cpu }), ...(libc.length > 0 && { libc }) };
}

/** Where Node would look for a package from a place in the tree, nearest first. */
function placesFrom(place) {
  const parents = place
    .split('/node_modules/')
    .map((_, index, all) => all.slice(0, all.length - index).join('/node_modules/'));
  return [...new Set([...parents, ''])].map((parent) => (parent === '' ? 'node_modules/' : `${parent}/node_modules/`));
}

const added = [];
for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    // `npm:other@1.2.3` is another package under this name.
    const [, alias, wanted] = /^(?:npm:(.+)@)?(.+)$/.exec(range);
    const version = wanted.replace(/^[~^]/, '');
    const places = placesFrom(place).map((folder) => folder + name);
    const found = places.find((one) => lock.packages[one] !== undefined);
    // Packages of other platforms are wanted in one version; a range that something fits needs nothing more.
    if (found !== undefined && (lock.packages[found].version === version || wanted !== version)) continue;
    const platform = platformOf(name);
    if (platform.os === undefined && platform.cpu === undefined) throw new Error(`no platform in the name ${name}`);
    // As far up as it fits: below the package that wants it only where another version stands above.
    const target = found === undefined ? `node_modules/${name}` : `${place}/node_modules/${name}`;
    lock.packages[target] = {
      ...(alias && { name: alias }),
      version,
      ...(entry.dev && { dev: true }),
      optional: true,
      ...platform,
    };
    added.push(target);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`added ${added.length} packages of other platforms`);
