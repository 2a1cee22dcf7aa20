import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Packs what a clean clone would hold, so that nothing built before gets in, installs it the way a user would, and runs its
// command and its library.
const project = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'repertoire-package-'));
const run = (command, args) =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, HOME: folder } });

try {
  const clone = join(folder, 'clone');
  const git = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: project });
  for (const path of git
    .toString()
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(project, name)))) {
    cpSync(join(project, path), join(clone, path));
  }
  symlinkSync(join(project, 'node_modules'), join(clone, 'node_modules'));
  const pack = ['pack', '--json', '--loglevel=error', '--pack-destination', folder];
  const packed = JSON.parse(execFileSync('npm', pack, { cwd: clone, encoding: 'utf8' }));
  // Tests that run meanwhile need the files of the last build: another one of the same sources leaves them alone.
  const built = join(clone, 'dist/cli/bin.cjs');
  const { mtimeMs } = statSync(built);
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: clone });
  if (statSync(built).mtimeMs !== mtimeMs) throw new Error('a second build of the same sources builds again');
  writeFileSync(join(clone, 'src/bin.ts'), `${readFileSync(join(clone, 'src/bin.ts'), 'utf8')}\n`);
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: clone });
  if (statSync(built).mtimeMs === mtimeMs) throw new Error('a build of changed sources builds nothing');
  const { filename, size, files } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0];
  run('npm', ['init', '-y']);
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--offline', join(folder, filename)]);
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const commands = run('ls', [join(folder, 'node_modules', '.bin')]).trim();
  if (commands !== 'repertoire') throw new Error(`installing it adds the commands: ${commands}`);
  const said = run(join(folder, 'node_modules', '.bin', 'repertoire'), ['--version']).trim();
  if (said !== version) throw new Error(`repertoire --version says ${said}, not ${version}`);
  const root = join(folder, 'node_modules', 'repertoire', 'skills');
  const listed = JSON.parse(
    run(join(folder, 'node_modules', '.bin', 'repertoire'), ['list', '--json', '--root', root]),
  );
  if (listed.skills.length < 10 || listed.diagnostics.length > 0)
    throw new Error('the packed example skills are not all there');
  const script =
    "import { createRepertoire } from 'repertoire'; const r = createRepertoire({ autoRefresh: false }); console.log((await r.list()).skills.length)";
  run(process.execPath, ['--input-type=module', '-e', script]);
  const installed =
    statSync(join(folder, 'node_modules')).isDirectory() && run('ls', [join(folder, 'node_modules')]).trim();
  if (installed !== 'repertoire') throw new Error(`installing it also installs: ${installed}`);
  console.log(`package: ${files.length} files, ${Math.round(size / 1024)} kB packed, no dependencies`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
