import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { writeCatalogue } from '../catalogue.mjs';
import { cpuOf, floorFile, program, runNode, summary, takeTurns } from '../measure.mjs';
import { createRandom } from '../random.mjs';
import { single } from '../report.mjs';
import { many } from './figure.mjs';

/** @typedef {import('./figure.mjs').Sandbox} Sandbox */

/**
 * What it costs to get skills from a repository on this machine, looked at, scanned and written down. Most of it is Git's, so
 * the clock is looked at, and not the time of one process.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function add(sandbox, quick) {
  const count = 100;
  const place = repositoryOf(sandbox, count);
  // A folder of its own for each, and nothing removed in between: ext4 gives out no inode again for some seconds after its file
  // was removed, and looks for another one each time, which took more than all that is measured.
  let made = 0;
  const elsewhere = () => {
    const base = join(place.base, `run-${made++}`);
    const fresh = { ...place, base, home: join(base, 'home'), work: join(base, 'work') };
    for (const path of [fresh.home, fresh.work]) mkdirSync(path, { recursive: true });
    return fresh;
  };
  const [subject, floor] = await takeTurns(
    quick ? 3 : 11,
    () => {
      const fresh = elsewhere();
      const argv = [program, 'add', place.repository, '--yes', '--json'];
      return timed(sandbox, fresh, argv, { XDG_CACHE_HOME: join(fresh.base, 'cache') });
    },
    () => {
      const fresh = elsewhere();
      const targets = ['clone', 'copy'].map((path) => join(fresh.base, path));
      return timed(sandbox, fresh, [floorFile('get'), 'clone', place.repository, ...targets]);
    },
  );
  for (const { output } of subject) {
    const added = JSON.parse(output).skills.filter((/** @type {{ action: string }} */ one) => one.action === 'add');
    if (added.length !== count) throw new Error(`${added.length} skills were added, not ${count}`);
  }
  return [
    {
      name: `add ${count} skills from a repository on this machine`,
      unit: 'ms',
      subject: summary(subject.map(({ wallMs }) => wallMs)),
      floor: summary(floor.map(({ wallMs }) => wallMs)),
      floorName: 'git clone and a copy',
      judged: 'ratio',
      limit: 1.5,
    },
  ];
}

/**
 * What it costs to find that everything is as the lock file says.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function frozen(sandbox, quick) {
  const rows = [];
  for (const count of [100, 1000]) {
    const place = repositoryOf(sandbox, count);
    for (const path of ['home', 'work']) mkdirSync(join(place.base, path), { recursive: true });
    await runNode(sandbox, place, [program, 'add', place.repository, '--yes']);
    await sleep(settleMs);
    const argv = [program, 'install', '--frozen'];
    await runNode(sandbox, place, argv); // reads every file, and remembers how it looked
    const [lockFile, skills] = [join(place.work, 'skills-lock.json'), join(place.work, '.agents', 'skills')];
    const [subject, floor] = await takeTurns(
      quick ? 10 : 40,
      () => runNode(sandbox, place, argv),
      () => runNode(sandbox, place, [floorFile('get'), 'look', lockFile, skills]),
    );
    if (!subject.every(({ output }) => output.startsWith(`${count.toLocaleString('en')} skill`)))
      throw new Error('something differs');
    rows.push({
      name: `install --frozen, ${count} skills, nothing to do`,
      unit: 'ms CPU',
      subject: cpuOf(subject),
      floor: cpuOf(floor),
      floorName: 'lock file and one look at each file',
      // Of so few as a hundred the start of the program is most, which has a limit of its own.
      ...(count >= 1000 && { judged: /** @type {const} */ ('ratio'), limit: 1.3 }),
    });
  }
  return rows;
}

/**
 * How long a scan for what could be done to you takes, of skills that nobody has scanned and of those that have not changed.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function scanning(sandbox) {
  const place = scannable(sandbox, many);
  await sleep(settleMs);
  const folder = place.roots[0] ?? '';
  const argv = [program, 'scan', folder, '--json', '--fail-on', 'never'];
  sandbox.clearCache();
  const read = await timed(sandbox, place, [floorFile('get'), 'read', folder]);
  const { bytes } = JSON.parse(read.output);
  const first = await timed(sandbox, place, argv);
  const scanned = JSON.parse(first.output).summary.skills;
  if (scanned !== many) throw new Error(`${scanned} skills were scanned, not ${many}`);
  await sleep(settleMs);
  const second = await timed(sandbox, place, argv);
  writeFileSync(join(folder, readdirSync(folder)[0] ?? '', 'scripts', 'new.py'), pythonOf(createRandom(7)));
  const changed = await timed(sandbox, place, argv);
  /** @typedef {{ cpuMs: number, wallMs: number }} Cost */
  const seconds = (/** @type {Cost} */ { wallMs }) => single(wallMs / 1000);
  const note = (/** @type {Cost} */ { cpuMs, wallMs }) =>
    `${(cpuMs / 1000).toFixed(1)} s CPU, ${(bytes / 1000 / wallMs).toFixed(1)} MB a second`;
  const floor = { floor: seconds(read), floorName: `plain reading, ${note(read)}` };
  // Threads do it, on all processors: the clock is what counts, and the CPU time beside it tells a busy machine.
  return [
    {
      name: `scan of ${many} skills with scripts`,
      note: note(first),
      unit: 's',
      subject: seconds(first),
      ...floor,
      judged: 'subject',
      limit: 60,
    },
    { name: 'the same again, nothing changed', note: note(second), unit: 's', subject: seconds(second), ...floor },
    { name: 'the same again, one skill changed', note: note(changed), unit: 's', subject: seconds(changed), ...floor },
  ];
}

/** Times of files younger than this may still be doubted. */
const settleMs = 2500;

/**
 * Runs Node once, for its time on the clock.
 *
 * @param {Sandbox} sandbox
 * @param {import('../catalogue.mjs').Catalogue} place
 * @param {readonly string[]} argv
 * @param {Record<string, string>} [variables]
 */
async function timed(sandbox, place, argv, variables) {
  const began = performance.now();
  const sample = await runNode(sandbox, place, argv, variables);
  return { ...sample, wallMs: performance.now() - began };
}

/** A repository with that many skills, which have scripts, and a home beside it in which there is nothing. */
function repositoryOf(/** @type {Sandbox} */ sandbox, /** @type {number} */ count) {
  const { base, roots } = scannable(sandbox, count);
  const repository = join(base, 'repository');
  mkdirSync(repository, { recursive: true });
  cpSync(roots[0] ?? '', join(repository, 'skills'), { recursive: true });
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], { cwd: repository });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Add skills');
  return {
    base,
    repository: pathToFileURL(repository).href,
    home: join(base, 'home'),
    work: join(base, 'work'),
    roots: [],
  };
}

/**
 * Skills that have something to be parsed: the prose of any catalogue, commands in it, and scripts.
 *
 * @param {Sandbox} sandbox
 * @param {number} count
 */
function scannable(sandbox, count) {
  const base = sandbox.path(`scannable-${count}-${made++}`);
  const catalogue = writeCatalogue(join(base, 'written'), count);
  const folder = join(base, 'skills');
  const random = createRandom(count);
  for (const [at, skill] of skillsIn(catalogue.roots).entries()) {
    const target = join(folder, `skill-${at}`);
    cpSync(skill, target, { recursive: true });
    const file = join(target, 'SKILL.md');
    const written = readFileSync(file, 'utf8').replace(/^name: .*/m, `name: skill-${at}`);
    // Words at random happen to say "without report user", and a scan blocks that.
    const text = written.replaceAll('without', 'within');
    writeFileSync(file, `${text}\n\`\`\`sh\n${shellOf(random)}\`\`\`\n`);
    mkdirSync(join(target, 'scripts'), { recursive: true });
    for (const script of readdirSync(join(target, 'scripts')))
      writeFileSync(join(target, 'scripts', script), pythonOf(random));
  }
  rmSync(join(base, 'written'), { recursive: true });
  return { base, home: join(base, 'home'), work: base, roots: [folder] };
}
let made = 0;

/** @param {readonly string[]} folders @returns {string[]} */
function skillsIn(folders) {
  return folders.flatMap((folder) => {
    const entries = readdirSync(folder, { withFileTypes: true });
    if (entries.some(({ name }) => name === 'SKILL.md')) return [folder];
    return skillsIn(entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name)));
  });
}

const shellLines = [
  'git log --oneline --since="2 weeks ago" | head -n 20',
  'for file in src/*.ts; do wc -l "$file"; done',
  'curl -fsSL "https://api.example.com/items?page=$PAGE" -H "Accept: application/json" | jq -r ".items[].id"',
  'pip install -r requirements.txt && python scripts/step-0.py --input data.csv --out report.md',
  'OUT=$(mktemp -d); tar -xzf release.tar.gz -C "$OUT"; ls -la "$OUT"',
];
const pythonLines = [
  'rows = [line.split(",") for line in open(path, encoding="utf-8").read().splitlines() if line]',
  'total = sum(float(row[3]) for row in rows if row[3].strip())',
  'result = subprocess.run(["git", "status", "--short"], capture_output=True, text=True, check=True)',
  'config = {"name": name, "retries": 3, "paths": [str(p) for p in Path(".").rglob("*.md")]}',
  'print(json.dumps(config, indent=2, sort_keys=True))',
  'if not rows:\n        raise SystemExit("nothing to do in " + path)',
  'response = urllib.request.urlopen("https://api.example.com/v1/items/" + name)',
];

/** @param {import('../random.mjs').Random} random */
function shellOf(random) {
  return Array.from({ length: 6 }, () => `${random.pick(shellLines)}\n`).join('');
}

/** @param {import('../random.mjs').Random} random */
function pythonOf(random) {
  const steps = Array.from({ length: 12 }, (_, at) => {
    const body = Array.from({ length: 4 }, () => `    ${random.pick(pythonLines)}\n`).join('');
    return `def step_${at}(path, name="item-${random.below(1000)}"):\n    """Does one step."""\n${body}    return rows\n\n`;
  });
  return `import json, subprocess, sys, urllib.request\nfrom pathlib import Path\n\n${steps.join('')}print(step_0(sys.argv[1]))\n`;
}
