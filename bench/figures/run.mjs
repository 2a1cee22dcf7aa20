import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundledProbe } from '../bundle.mjs';
import { summary, tellOf } from '../measure.mjs';

/** A skill of two tools that do nothing: a program of the machine, and a script of the skill. */
export const noop = { skill: 'idler', tool: 'rest', scriptTool: 'nap', script: ['/bin/sh', '/skill/scripts/nap.sh'] };

/** The smallest program there is: a memory, and a `_start` that returns at once. */
const moduleBytes = Buffer.from(
  `0061736d0100000001040160000003020100050301000107130206${hex('memory')}020006${hex('_start')}00000a040102000b`,
  'hex',
);

const files = {
  'SKILL.md': `---\nname: ${noop.skill}\ndescription: Has a tool that does nothing. Use when time is to be measured.\n---\n\nCall it.\n`,
  'skill.toml': `[tools.${noop.tool}]\ndescription = "Does nothing."\ncommand = ["true"]\n\n[tools.${noop.scriptTool}]\ndescription = "Does nothing, in a script."\nscript = "scripts/nap.sh"\n`,
  'scripts/nap.sh': '#!/bin/sh\n:\n',
  'rest.wasm': moduleBytes,
};

/**
 * Writes the skill twice: where everyone may go, as below the home of a user, and where only its owner may, as below
 * that of root, whose runs need a way around.
 *
 * @param {import('../sandbox.mjs').Sandbox} sandbox
 */
export async function writeNoop(sandbox) {
  chmodSync(sandbox.path('.'), 0o711);
  const base = sandbox.path('running');
  const home = join(base, 'home');
  const work = join(base, 'work');
  const open = join(home, '.claude', 'skills', noop.skill);
  const closed = join(base, 'closed', noop.skill);
  for (const folder of [open, closed]) {
    mkdirSync(join(folder, 'scripts'), { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  }
  mkdirSync(work, { recursive: true });
  chmodSync(join(base, 'closed'), 0o700);
  await sleep(settleMs);
  return { open, closed, catalogue: { base, home, work, roots: [] } };
}

/** Files younger than this are digested anew for each run. */
const settleMs = 2100;

/** @param {string} text */
function hex(text) {
  return Buffer.from(text, 'latin1').toString('hex');
}

const restMs = 300;

/**
 * What our part of a run in the sandbox of the system costs: pipes, a user of its own, a control group, a shell that
 * waits until all of that stands, and seeing it to its end. The floor is the sandbox itself.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function native(sandbox, quick) {
  const { open, closed, catalogue } = await writeNoop(sandbox);
  const probe = await bundledProbe(sandbox, 'run-native');
  const rows = [];
  const isRoot = process.getuid?.() === 0;
  for (const { name, folder, rest = 0, ...promise } of [
    { name: 'run of a program that does nothing', folder: open, judged: 'ratio', limit: 1.5 },
    // A kernel that has not moved a process between control groups for a while takes some milliseconds to do so.
    { name: `the same, ${restMs} ms after anything else`, folder: open, rest: restMs },
    ...(isRoot ? [{ name: 'the same, of a skill that only root can reach', folder: closed }] : []),
  ]) {
    const argv = [probe, folder, quick ? '15' : '60', String(rest)];
    const { obstacle, subject, floor } = await tellOf(sandbox, catalogue, argv);
    const row = { name, unit: 'ms', floorName: 'bubblewrap by hand', ...promise };
    if (obstacle) rows.push({ ...row, unmeasured: obstacle });
    else rows.push({ ...row, subject: summary(subject), floor: summary(floor) });
  }
  return rows;
}

/**
 * What a WebAssembly tool costs when a child waits for it already, which has everything in it but the order.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function wasm(sandbox, quick) {
  const { open, catalogue } = await writeNoop(sandbox);
  const probe = await bundledProbe(sandbox, 'run-wasm');
  const told = await tellOf(sandbox, catalogue, [probe, open, quick ? '10' : '40']);
  const row = {
    name: 'run of a module that does nothing, from the warm pool',
    unit: 'ms',
    floorName: '/bin/true under bubblewrap',
    judged: /** @type {const} */ ('ratio'),
    limit: 2.5,
  };
  if (told.obstacle) return [{ ...row, unmeasured: told.obstacle }];
  const { subject, floor, cold } = told;
  return [
    {
      ...row,
      note: `the first of all, not warm: ${Math.round(cold)} ms`,
      subject: summary(subject),
      floor: summary(floor),
    },
  ];
}

/**
 * What our part of a run in a container costs, beyond what the engine takes to create, start and remove it.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function docker(sandbox, quick) {
  const { open, catalogue } = await writeNoop(sandbox);
  const probe = await bundledProbe(sandbox, 'run-docker');
  const told = await tellOf(sandbox, catalogue, [probe, open, quick ? '8' : '30']);
  const row = {
    name: 'run of a container that does nothing',
    unit: 'ms',
    floorName: 'through the engine by hand',
    judged: /** @type {const} */ ('ratio'),
    limit: 1.15,
  };
  if (told.obstacle) return [{ ...row, unmeasured: told.obstacle }];
  return [{ ...row, subject: summary(told.subject), floor: summary(told.floor) }];
}

/**
 * What the two records of a run cost, beside a run that does nothing. The very first, for which the key is made and the
 * log opened, are thrown away.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function audit(sandbox, quick) {
  const { open, catalogue } = await writeNoop(sandbox);
  const probe = await bundledProbe(sandbox, 'audit');
  const told = await tellOf(sandbox, catalogue, [probe, open, quick ? '20' : '100']);
  const row = { unit: 'ms', floorName: 'run of a program that does nothing' };
  const promised = {
    ...row,
    name: 'both records of a run, many in a row',
    judged: /** @type {const} */ ('ratio'),
    limit: 0.01,
  };
  if (told.obstacle) return [{ ...promised, unmeasured: told.obstacle }];
  const floor = summary(told.runs);
  const { pairs } = told;
  return [
    { ...promised, subject: summary(pairs.map(({ each }) => each)), floor },
    { ...row, name: 'the same, by themselves after a run', subject: summary(pairs.map(({ first }) => first)), floor },
  ];
}
