import { spawn } from 'node:child_process';
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { installPrograms } from '../sandbox/guests/installed.ts';
import type { Identity } from '../sandbox/identities.ts';
import { type Message, StdioServer } from '../support/mcp.ts';
import { createWorld, type Run, type World } from '../support/world.ts';
import { writeSkills } from './skills.ts';

/** A machine with skills to run, where all there is belongs to one user, who uses the program. */
export interface Place {
  readonly world: World;
  /** The folders of the skills, and of the copies that are run. */
  readonly skills: readonly string[];
  /** Where processes of the program put what they need while they live. */
  readonly temporary: string;
  /** Starts a server and shakes hands. It goes away with the test. */
  serve(options?: readonly string[]): Promise<StdioServer>;
  /** Runs the program to its end. */
  run(args: readonly string[]): Promise<Run>;
}

const nobody = 54_321;
/** A thousand runs take as long as the machine is busy. */
const timeoutMs = 800_000;

export async function createPlace(identity: Identity, policy: string): Promise<Place> {
  const world = createWorld();
  await writeSkills(world);
  world.write('home/.config/repertoire/policy.toml', policy);
  installPrograms(world.folder('program'));
  const temporary = world.folder('temporary');
  const variables = { TMPDIR: temporary, XDG_RUNTIME_DIR: temporary };
  chmodSync(world.root, 0o755);
  const user = identity === 'nobody' ? { uid: nobody, gid: nobody } : {};
  if (identity === 'nobody') giveAway(world.root);
  const start = (args: readonly string[]) => {
    const child = spawn(process.execPath, [world.path('program/dist/cli/bin.cjs'), ...args], {
      ...user,
      cwd: world.project,
      env: world.environment(variables),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  return {
    world,
    skills: [world.path('project/skills'), world.path('cache/repertoire/skills')],
    temporary,
    serve: async (options = []) => {
      const server = new StdioServer(start(['serve', '--structured', ...options]));
      await server.initialize();
      return server;
    },
    run: (args) => world.run(args, identity === 'nobody' ? { uid: nobody, env: variables } : { env: variables }),
  };
}

function giveAway(folder: string): void {
  chownSync(folder, nobody, nobody);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) giveAway(path);
    else chownSync(path, nobody, nobody);
  }
}

let calls = 0;

/** Asks for a run, and waits for nothing. */
export function askFor(server: StdioServer, skill: string, tool: string, parameters: object): number {
  const id = 20_000 + calls++;
  const given = { skill_name: skill, tool_name: tool, parameters };
  server.send({ id, method: 'tools/call', params: { name: 'skill-engine/execute', arguments: given } });
  return id;
}

/** What is known of a run when it has ended. */
export async function execute(
  server: StdioServer,
  skill: string,
  tool: string,
  parameters: object,
): Promise<Record<string, unknown>> {
  const id = askFor(server, skill, tool, parameters);
  const { result, error } = await server.next((message: Message) => message.id === id, timeoutMs);
  if (error !== undefined) throw new Error(error.message);
  return (result as { structuredContent: Record<string, unknown> }).structuredContent;
}
