import type { ChildProcess } from 'node:child_process';
import { expect } from 'vitest';
import type { ExecutionResult } from '../../src/engine/running/types.ts';
import { type Started, Workshop } from '../run/workshop.ts';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { type NatsCluster, startNats } from '../support/nats.ts';

/** A worker in a process and a home of its own. */
export interface TestWorker {
  readonly shop: Workshop;
  readonly child: ChildProcess;
  readonly log: string;
  readonly ended: Started['ended'];
}

/** Starts a worker, and waits until it takes executions. */
export async function startTestWorker(
  { url }: Pick<NatsCluster, 'url'>,
  name: string,
  args: readonly string[] = [],
  shop = new Workshop(),
  env: Readonly<Record<string, string>> = {},
): Promise<TestWorker> {
  const { child, ended } = shop.start(['worker', '--cluster', url, '--name', name, ...args], { env });
  let log = '';
  child.stderr?.on('data', (text: string) => {
    log += text;
  });
  await expect.poll(() => log).toContain('takes executions');
  return {
    shop,
    child,
    ended,
    get log() {
      return log;
    },
  };
}

/** A machine whose tools run on the workers of a cluster. */
export class TestCaller {
  readonly shop = new Workshop();
  readonly env: Readonly<Record<string, string>>;

  constructor({ url }: Pick<NatsCluster, 'url'>) {
    this.env = { REPERTOIRE_CLUSTER: url, REPERTOIRE_EXECUTIONS: 'cluster' };
  }

  result(...args: readonly string[]): Promise<ExecutionResult> {
    return this.shop.result(args, this.env);
  }

  start(...args: readonly string[]): Started {
    return this.shop.start(['run', ...args], { env: this.env });
  }

  /** A server for MCP clients. */
  serve(...args: readonly string[]): Promise<StdioServer> {
    return connectStdio(this.shop.world, ['serve', '--structured', ...args], { env: this.env });
  }
}

/** A cluster with one worker, and a machine that has its tools run there. */
export async function startTeam() {
  const nats = await startNats();
  return { nats, worker: await startTestWorker(nats, 'one'), caller: new TestCaller(nats) };
}

/** A skill's table of a tool that is a script of the shell. */
export function shTool(name: string, script: string, more = ''): string {
  return `[tools.${name}]\ncommand = ["sh", "-c", ${JSON.stringify(script)}]\n${more}\n`;
}
