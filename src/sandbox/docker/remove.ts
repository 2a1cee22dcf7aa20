import { setTimeout as pause } from 'node:timers/promises';
import { settlesWithin } from '../../kernel/settles-within.ts';
import { type Engine, statusOf } from './engine.ts';

/** How long an engine may take to kill and remove a container. */
const removalMs = 15_000;
const tries = 5;
const pauseMs = 100;

/** Kills and removes a container with all that came with it. Tells whether it is gone. */
export async function remove(engine: Engine, name: string): Promise<boolean> {
  let gone = false;
  const removal = (async () => {
    for (let i = 0; i < tries && !gone; i++) {
      if (i > 0) await pause(pauseMs * i);
      gone = await removeOnce(engine, name);
    }
  })();
  await settlesWithin(removalMs, removal);
  return gone;
}

async function removeOnce(engine: Engine, name: string): Promise<boolean> {
  try {
    await engine.docker.getContainer(name).remove({ force: true, v: true });
    return true;
  } catch (error) {
    // Anything else, a removal under way or an engine that is busy, is tried again.
    return statusOf(error) === 404;
  }
}
