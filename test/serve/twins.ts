import { onTestFinished } from 'vitest';
import { configurationOf } from '../../src/core/config/values.ts';
import { hostEnvironment } from '../../src/core/environment.ts';
import type { Logger } from '../../src/core/log.ts';
import { createServerFactory } from '../../src/faces/mcp/server.ts';
import { createService, type Service } from '../../src/faces/mcp/service.ts';
import { createConnection } from '../../src/faces/mcp/stdio/connection.ts';
import { startProtocol } from '../../src/faces/mcp/stdio/protocol.ts';
import { profiles } from '../../src/faces/mcp/surface.ts';
import type { Message } from '../support/mcp.ts';
import type { World } from '../support/world.ts';

/** What a client sends; those with an id are answered. */
export type Sent = Readonly<Record<string, unknown>> & { readonly id?: string | number; readonly method: string };

const quiet = (): void => {};
const log: Logger = { error: quiet, warn: quiet, info: quiet, debug: quiet };

/** What a server serves, without the process around it. */
export async function serviceOn(world: World, profile: keyof typeof profiles = 'serve'): Promise<Service> {
  const environment = hostEnvironment({
    cwd: world.project,
    home: world.home,
    env: { HOME: world.home, XDG_CACHE_HOME: world.path('cache') },
  });
  const configuration = configurationOf({ autoRefresh: false });
  const service = await createService(profiles[profile], configuration, environment, log);
  onTestFinished(() => service.close());
  await service.listingText(); // from here on what is said of the skills stays the same
  return service;
}

/** The answers of a connection as clients have it: the first messages are answered before the library is loaded. */
export function askOpening(service: Service, sent: readonly Sent[]): Promise<Message[]> {
  return collect(sent, (write) => {
    const output = { write: (line: string) => write(JSON.parse(line) as Message), flushed: async () => {} };
    const connection = createConnection(service, output, async (send) =>
      startProtocol(createServerFactory(service), send, log),
    );
    return (message) => connection.receive(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`));
  });
}

/** The library leaves it to whoever reads the messages to answer those that it does not know. */
const unheard = { code: -32602, message: 'Invalid params: `_meta` does not match the protocol' };

/** The answers of the library alone. */
export function askLibrary(service: Service, sent: readonly Sent[]): Promise<Message[]> {
  return collect(sent, (write) => {
    const library = startProtocol(createServerFactory(service), (message) => write(message as Message), log);
    return (message) => {
      if (!library.deliver({ jsonrpc: '2.0', ...message }))
        write({ jsonrpc: '2.0', id: message.id ?? null, error: unheard });
    };
  });
}

type Open = (write: (message: Message) => void) => (message: Sent) => void;

/** Sends one after the other, each when the one before is answered; gives the answers by the order of the requests. */
async function collect(sent: readonly Sent[], open: Open): Promise<Message[]> {
  const answers: Message[] = [];
  let answered = quiet;
  const send = open((message) => {
    answers.push(JSON.parse(JSON.stringify(message)) as Message);
    answered();
  });
  for (const message of sent) {
    const answer = new Promise<void>((resolve) => {
      answered = resolve;
    });
    send(message);
    if (message.id !== undefined) await answer;
  }
  return answers;
}
