import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { quantile } from './measure.mjs';
import { createRandom } from './random.mjs';
import { countOf, lostRecords, unclearErrors, wrongRuns } from './team/checks.mjs';
import { Caller } from './team/clients.mjs';
import { Team } from './team/team.mjs';

/**
 * Kills parts of a team at random while clients use it, and checks afterwards that nothing was lost, nothing was run twice
 * and nobody was told anything but an answer or an error that says when to try again: `npm run chaos`, or
 * `npm run chaos -- --seconds 600 --seed 1`. See docs/scale.md.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '6' },
    json: { type: 'boolean' },
  },
});
const random = createRandom(Number(values.seed));
const until = () => performance.now() >= endAt;
let endAt = Number.POSITIVE_INFINITY;

const lore = Array.from({ length: 20 }, (_, at) => ({
  name: `lore-${at + 1}`,
  word: `marvel${String.fromCharCode(97 + at)}quill`,
}));
const team = new Team();
const ledger = team.path('place/ledger');
const targets = /** @type {const} */ (['node', 'server', 'worker']);
/** @type {string[]} */
const killed = [];
let published = 0;

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void team.remove().then(() => process.kill(process.pid, signal)));
}
try {
  writeSkills();
  say('starting three nodes, two servers, three workers and a balancer');
  await team.start({ nodes: 3, servers: 2, workers: 3 });
  await prepare();
  say(`killing for ${values.seconds} s, seed ${values.seed}`);
  const beganAt = performance.now();
  endAt = beganAt + Number(values.seconds) * 1000;
  const callers = Array.from(
    { length: Number(values.clients) },
    (_, at) => new Caller(team.url, at % 2 === 0 ? 'modern' : 'legacy'),
  );
  await Promise.all([killAll(), publishAll(), ...callers.map(useAll)]);
  for (const caller of callers) await caller.close();
  await report(
    callers.flatMap(({ calls }) => calls),
    beganAt,
  );
} finally {
  await team.remove();
}

function writeSkills() {
  writeFileSync(team.write('place/ledger', ''), '');
  chmodSync(team.path('place'), 0o777);
  chmodSync(ledger, 0o666);
  const script = `echo "$1" >> ${ledger}; sleep "$2"; echo "said $1"`;
  const tool = (/** @type {string} */ name, more = '') =>
    `[tools.${name}]\ncommand = ["sh", "-c", ${JSON.stringify(script)}, "sh", "{value}", "{seconds}"]\n` +
    `parameters.value = { type = "string" }\nparameters.seconds = { type = "string" }\n${more}\n`;
  writeSkill('tally', 'Writes down what it is given.', '# Tally');
  team.write(
    'shared/skills/tally/skill.toml',
    `[capabilities]\nfilesystem = { write = ["${team.path('place')}"] }\n${tool('once')}${tool('again', 'idempotent = true')}`,
  );
  for (const { name, word } of lore) writeSkill(name, `Knows all about ${word}.`, `# ${word}`, 'author');
}

/** @param {string} name @param {string} description @param {string} body */
function writeSkill(name, description, body, place = 'shared') {
  return team.write(
    `${place}/skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`,
  );
}

/** Publishes what clients look for, and grants what they run: on the servers, and on each worker once it has the files. */
async function prepare() {
  await team.done('author', [
    'publish',
    ...lore.map(({ name }) => team.path(`author/skills/${name}`)),
    '--to',
    team.cluster,
  ]);
  await publish();
  for (const name of ['author', ...team.of('server').map(({ name }) => name)]) {
    await team.done(name, ['grant', 'tally', '--yes', '--skill-dir', team.path('shared/skills')]);
  }
  const skills = ['--skill-dir', team.path('shared/skills'), '--executions', 'cluster'];
  const warmUp = ['run', 'tally:once', '--json', '--param', 'value=warm-up', '--param', 'seconds=0', ...skills];
  /** @type {[name: string, folder: string][]} */
  let folders = [];
  do {
    const { digest } = JSON.parse((await team.run('author', warmUp)).stdout);
    folders = team.of('worker').map(({ name }) => {
      return [name, team.path(`${name}/.local/state/repertoire/get/skills/${digest.replace('sha256:', '')}`)];
    });
  } while (!folders.every(([, folder]) => existsSync(folder)));
  for (const [name, folder] of folders) await team.done(name, ['grant', folder, '--yes']);
  // Everything that is asked for later is answered once by either server.
  for (const { url } of team.of('server')) {
    for (const client of [new Caller(url, 'modern'), new Caller(url, 'legacy')]) {
      for (const one of [
        load(lore[0]),
        search(lore[0]),
        execution('once', `first-${url.slice(-9, -4)}-${client.era}`, 0),
      ]) {
        do await client.ask(one);
        while (client.calls.at(-1)?.outcome !== 'answer');
      }
      await client.close();
    }
  }
}

/** Publishes the next version of a skill, and notes it where that is acknowledged. */
async function publish() {
  const number = published + 1;
  writeSkill('news', 'Tells the news.', `Issue ${number}.`, 'author');
  const { code } = await team.run('author', ['publish', team.path('author/skills/news'), '--to', team.cluster]);
  if (code === 0) published = number;
}

async function publishAll() {
  while (!until()) {
    await publish();
    await sleep(5000);
  }
}

/** Kills one part after the other, of each kind in turn; each is back before the next one is killed. */
async function killAll() {
  while (!until()) {
    const first = random.below(targets.length);
    for (const kind of [...targets.slice(first), ...targets.slice(0, first)]) {
      await sleep(1000 + random.below(2000));
      if (until()) return;
      const part = random.pick(team.of(kind));
      await part.kill();
      await sleep(500 + random.below(2500));
      await part.start();
      killed.push(kind);
    }
  }
}

/** @param {Caller} caller @param {number} at */
async function useAll(caller, at) {
  const own = createRandom(Number(values.seed) * 1000 + at);
  for (let number = 0; !until(); number++) {
    const one = own.pick(lore);
    const tool = own.chance(0.8) ? 'once' : 'again';
    await caller.ask(own.pick([load(one), search(one), execution(tool, `${at}-${number}`, own.below(400) / 1000)]));
    // A client that was told to try again does so a moment later.
    if (caller.calls.at(-1)?.outcome !== 'answer') await sleep(100);
  }
}

/** @param {{ name: string, word: string }} one */
function load({ name, word }) {
  return { kind: 'load', name: 'skill', arguments: { name }, expected: `# ${word}` };
}

/** @param {{ name: string, word: string }} one */
function search({ name, word }) {
  return { kind: 'search', name: 'skills.search', arguments: { query: word }, expected: name };
}

/** @param {string} tool @param {string} value @param {number} seconds */
function execution(tool, value, seconds) {
  const parameters = { value, seconds: String(seconds) };
  return {
    ...{ kind: 'execute', tool, value, expected: `said ${value}` },
    name: 'skill-engine/execute',
    arguments: { skill_name: 'tally', tool_name: tool, parameters },
  };
}

/** @param {import('./team/clients.mjs').Call[]} calls @param {number} beganAt */
async function report(calls, beganAt) {
  const failures = [
    ...unclearErrors(calls),
    ...wrongRuns(team, calls, ledger),
    ...(await lostRecords(team, calls)),
    ...(await lostVersions()),
  ];
  const figures = {
    seconds: Number(values.seconds),
    seed: Number(values.seed),
    killed: Object.fromEntries(countOf(killed)),
    published,
    calls: calls.length,
    outcomes: Object.fromEntries(countOf(calls.map(({ kind, outcome }) => `${kind}: ${outcome}`))),
    kinds: ['load', 'search', 'execute'].map((kind) => figuresOf(kind, calls, beganAt)),
    failures,
  };
  console.log(values.json ? JSON.stringify(figures, null, 2) : textOf(figures));
  if (failures.length > 0) process.exitCode = 1;
}

/** Servers that do not offer the last version that was acknowledged, and do not come to. */
async function lostVersions() {
  const issues = await Promise.all(
    team.of('server').map(async (part) => {
      const { name, url } = part;
      const client = new Caller(url, 'modern');
      const expected = `Issue ${published}.`;
      for (const end = performance.now() + 30_000; performance.now() < end; await sleep(200)) {
        await client.ask({ kind: 'load', name: 'skill', arguments: { name: 'news' }, expected });
        if (client.calls.at(-1)?.outcome === 'answer') break;
      }
      await client.close();
      const { outcome, detail } = client.calls.at(-1) ?? {};
      return outcome === 'answer'
        ? []
        : [`${name} does not offer version ${published} of news: ${detail}\n${part.log.slice(-4000)}`];
    }),
  );
  return issues.flat();
}

/** @param {string} kind @param {readonly import('./team/clients.mjs').Call[]} calls @param {number} beganAt */
function figuresOf(kind, calls, beganAt) {
  const answered = calls.filter((call) => call.kind === kind && call.outcome === 'answer').sort((a, b) => a.at - b.at);
  const times = answered.map(({ ms }) => ms).sort((a, b) => a - b);
  const gaps = answered.map(({ at }, index) => at - (answered[index - 1]?.at ?? beganAt));
  return {
    kind,
    answers: answered.length,
    medianMs: Math.round(quantile(times, 0.5)),
    p99Ms: Math.round(quantile(times, 0.99)),
    slowestMs: Math.round(times.at(-1) ?? Number.NaN),
    longestOutageMs: Math.round(Math.max(...gaps)),
  };
}

/** @param {Record<string, any>} figures */
function textOf({ seconds, seed, killed: victims, published: versions, calls, outcomes, kinds, failures }) {
  const parts = Object.entries(victims).map(([kind, times]) => `${times} × ${kind}`);
  return [
    `${seconds} s, seed ${seed}: killed ${parts.join(', ')}; ${versions} versions published; ${calls} calls`,
    ...Object.entries(outcomes).map(([what, times]) => `  ${times} × ${what}`),
    ...kinds.map(
      (one) =>
        `${one.kind}: ${one.answers} answers, median ${one.medianMs} ms, p99 ${one.p99Ms} ms, slowest ${one.slowestMs} ms, ` +
        `longest outage ${one.longestOutageMs} ms`,
    ),
    failures.length === 0 ? 'nothing lost, nothing run twice, no unclear error' : `${failures.length} FAILURES`,
    ...failures,
  ].join('\n');
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`${text}\n`);
}
