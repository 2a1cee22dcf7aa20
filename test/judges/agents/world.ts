import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { program, type World } from '../../support/world.ts';

const examples = fileURLToPath(new URL('../../../skills', import.meta.url));

/** A folder that none of these agents reads by itself, outside the project whose files they list: only the server shows it. */
export const served = 'home/.kiro/skills';

/** A PNG of twelve by twelve pixels, in base64. */
export const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAwAAAAMCAIAAADZF8uwAAAA4UlEQVR42g3KQQEAUQRAwR9CCCGEcH5nIYQQQgghhBBmd87z3kMe+rCHP+KRj3r0Yx77uMd7gggqmOBCCCmU0MIIK5z8SRFFFVNcCSWVUloZZZXTPxliqGGGG2GkUUYbY6xx9idHHHXMcSecdMppZ5x1zv8USKCBBR5EkEEFHUywwcWfEkk0scSTSDKppJNJNrn8UyGFFlZ4EUUWVXQxxRZXf2qk0cYab6LJpppuptnm+k+DDDrY4EMMOdTQwww73PxpkUUXW3yJJZdaeplll9s/HXLoYYcfceRRRx9z7HHHB1larmE4V9OTAAAAAElFTkSuQmCC';

/** Each line differs, and characters are not bytes. */
export const longText = Array.from({ length: 3000 }, (_, n) => `Line ${n} of the long text, naïve as it is.\n`).join(
  '',
);

/** The description of a skill that no model may be shown. */
export const hiddenFromModels = 'Is called by people alone.';

/** Writes the skills that ship, and some that show what an agent passes on to its model. */
export function writeSkills(world: World): void {
  cpSync(examples, world.path(served), { recursive: true });
  world.skill(`${served}/with-files`, { description: 'Has a picture and a long text.' });
  world.write(`${served}/with-files/assets/dot.png`, Buffer.from(picture, 'base64'));
  world.write(`${served}/with-files/long.txt`, longText);
  world.skill(`${served}/needs-network`, { description: 'Has a tool that has not been granted what it asks for.' });
  world.write(`${served}/needs-network/skill.toml`, needsNetwork);
  world.skill(`${served}/slow`, { description: 'Has a tool that says something now and then.' });
  world.write(`${served}/slow/skill.toml`, slow);
  world.skill(`${served}/by-hand`, { description: hiddenFromModels, extra: 'disable-model-invocation: true' });
}

const needsNetwork = `[skill]
runtime = "native"

[capabilities]
network = ["example.com"]

[tools.fetch]
description = "Fetches."
command = ["echo", "fetched"]
`;

const slow = `[skill]
runtime = "native"

[tools.talk]
description = "Talks."
command = ["sh", "-c", "echo one; sleep 1; echo two; sleep 1; echo three"]
`;

/** Runs the program with a certain Node. `setup` writes that Node into the agent's file. */
export async function runWith(node: string, world: World, args: readonly string[]): Promise<void> {
  await promisify(execFile)(node, [program, ...args], {
    cwd: world.project,
    env: world.environment(),
  });
}
