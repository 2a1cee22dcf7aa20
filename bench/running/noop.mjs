import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

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
