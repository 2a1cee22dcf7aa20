import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { program, type World } from '../support/world.ts';

export interface JudgedServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The program that is shipped, serving a world over HTTP on a free port. */
export async function startServer(
  world: World,
  args: readonly string[],
  node = process.execPath,
): Promise<JudgedServer> {
  const child = spawn(node, [program, ...args, '--port', '0'], {
    cwd: world.project,
    env: world.environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close');
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('close', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  return {
    url,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
