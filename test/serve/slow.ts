import { linkSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { World } from '../support/world.ts';

/** Skills that take long to read, as many small ones or a slow disk do, and a way to be done with them. */
export interface SlowSkills {
  /** Takes away what has not been read yet, so that the scan comes to its end. */
  remove(): void;
}

/** The environment of a server that waits a hundred times as long for whatever it gives so much time, or more. */
function timersFrom(ms: number) {
  const script = fileURLToPath(new URL('longer-timers.cjs', import.meta.url));
  return { env: { NODE_OPTIONS: `--require=${script}`, LONGER_FROM_MS: String(ms) } };
}

/** For the first scan before its handshake, and for a client before it looks at what it remembers. */
export const longTimers = timersFrom(100);
/** For requests under way, and for the scan before it lists its tools. */
export const longRequestTimers = timersFrom(2000);

const lines = Array.from({ length: 900 }, (_, at) => `  key${at}: [one, "two", { three: four, five: 'six' }]`);

/** Every file is one and the same, with front matter just small enough to be read: tens of milliseconds for each. */
export function slowSkills(world: World, count: number): SlowSkills {
  const file = world.write(
    'slow/SKILL.md',
    `---\nname: slow\ndescription: Takes long.\nmetadata:\n${lines.join('\n')}\n---\n`,
  );
  for (let at = 0; at < count; at++) linkSync(file, `${world.folder(`project/skills/slow-${at}`)}/SKILL.md`);
  // In one step: on a busy machine, taking away file by file may outlast the time a server waits.
  return { remove: () => renameSync(world.path('project/skills'), world.path('project/away')) };
}
