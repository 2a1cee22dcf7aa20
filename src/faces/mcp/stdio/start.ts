import type { Settings } from '../../../core/config/settings.ts';
import type { Running, Stop } from '../serve.ts';
import type { Service } from '../service.ts';
import { createConnection } from './connection.ts';
import { createOutput } from './output.ts';

/** Serves the one client that started this process, over its stdin and stdout. */
export async function startStdio(service: Service, _settings: Settings, stop: Stop): Promise<Running> {
  const { log } = service;
  const output = createOutput(() => stop.now('the client stopped reading'));
  const connection = createConnection(service, output, async (send) => {
    const [{ createServerFactory }, { startProtocol }] = await Promise.all([
      import('../server.ts'),
      import('./protocol.ts'),
    ]);
    const factory = createServerFactory(service, { onShutdown: () => stop.now('the client requested it') });
    return startProtocol(factory, send, log);
  });
  service.onChange((reason) => connection.notifyChanged(reason));
  const { stdin, ppid: client } = process;
  if (stdin.isTTY) log.info('waiting for an MCP client on stdin; repertoire help mcp explains how to connect one');
  stdin.on('data', (chunk: Buffer) => connection.receive(chunk));
  stdin.on('end', () => {
    connection.receivedAll();
    stop.now('the client closed its end');
  });
  stdin.on('error', () => stop.now('the client is gone'));
  return {
    async finish() {
      await connection.idle();
      await output.flushed();
    },
    get isAwaited() {
      // A process whose parent has ended gets another one.
      return stdin.readableEnded && process.ppid === client;
    },
    async close() {
      stdin.destroy();
      await connection.close();
    },
  };
}
