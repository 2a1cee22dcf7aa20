import { type Identity, runtimeOf } from '../identities.ts';
import { installPrograms } from './installed.ts';
import { type Stage, stageFor } from './stage.ts';

/** A stage whose runs are those of another process, which may be another user's. */
export async function stageAs(identity: Identity, env: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const driver = await runtimeOf(identity, { env, program: 'wasm-driver.ts', prepare: installPrograms });
  const stage = stageFor(() => driver.runtime);
  return { ...stage, end: () => Promise.all([stage.end(), driver.close()]).then(() => undefined) };
}
