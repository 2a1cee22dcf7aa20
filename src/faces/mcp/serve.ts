import { writeSync } from 'node:fs';
import type { Configuration } from '../../core/config/layers.ts';
import type { Settings } from '../../core/config/settings.ts';
import { isThere } from '../../core/disk/files.ts';
import { remotesFolder } from '../../core/disk/own-folders.ts';
import type { Environment } from '../../core/environment.ts';
import { stackOf } from '../../core/errors.ts';
import { createLogger, type Logger } from '../../core/log.ts';
import { settlesWithin } from '../../core/settles-within.ts';
import type { Pages } from '../http/exchange.ts';
import { createService, type Service } from './service.ts';
import { type ProfileName, profiles } from './surface.ts';

/** A transport that is serving. */
export interface Running {
  /** Takes no more requests, and resolves when those under way have their answers. */
  finish(): Promise<void>;
  /** Whether a client that asks for nothing more may still wait for answers, as the reader of a pipe does. */
  readonly isAwaited?: boolean;
  close(): Promise<void>;
}

/** Pages that people see of the same server in a browser. */
export interface ServedPages extends Pages {
  /** The path that opens the pages, behind the address of the server. */
  readonly path: string;
  /** Called with the address of the server once the pages are there. */
  ready?(url: string): void;
  close(): void;
}

export type MakePages = (service: Service) => Promise<ServedPages>;

type Start = (service: Service, settings: Settings, stop: Stop, makePages?: MakePages) => Promise<Running>;

const transports: { readonly [T in Settings['transport']]: () => Promise<Start> } = {
  stdio: async () => (await import('./stdio/start.ts')).startStdio,
  http: async () => (await import('./http/start.ts')).startHttp,
  sse: async () => (await import('./http/start.ts')).startHttp,
};

/** Serves until stopped by a signal, the client, or the end of its input. */
export async function serve(
  profile: ProfileName,
  given: Configuration,
  environment: Environment,
  makePages?: MakePages,
): Promise<number> {
  const { values } = given;
  // A part of the log is kept only where people can see it.
  const tail =
    values.transport === 'stdio' ? null : (await import('../../core/disk/log-tail.ts')).rememberLines(writeNote);
  const write = tail?.write ?? writeNote;
  const log = createLogger({ level: values.logLevel, format: values.logFormat, write });
  const stop = createStop(log);
  if (values.embeddingsUrl !== undefined) {
    // Wrong settings are reported to the person who starts the server, not to the first model that searches.
    (await import('../../engine/searching/embedder-choice.ts')).embedderChoiceOf(values);
  }
  const configuration = values.transport === 'stdio' || values.shareRemote ? given : withoutRemotes(given);
  if (configuration !== given && isThere(remotesFolder(environment))) {
    log.info('skills of remotes are not served over HTTP; --share-remote serves them on');
  }
  const start = await transports[values.transport]();
  const service = await createService(profiles[profile], configuration, environment, log);
  if (tail !== null) service.addVitals({ log: tail.lines });
  try {
    const running = await start(service, values, stop, makePages);
    log.info(`shutting down: ${await stop.reason}`);
    if (!(await finishes(running, stop))) log.warn('requests in progress were abandoned');
    await settlesWithin(graceMs / 4, running.close());
    await settlesWithin(graceMs / 4, service.recorded()); // the rest is sent by the next start
    await service.engine.telemetry?.close();
  } finally {
    service.close();
    endAnyway(graceMs / 10);
  }
  return 0;
}

/**
 * Waits for the requests under way, and returns whether they have their answers. Where the client has merely closed its
 * end they get more time, until it is gone or a signal comes: a session that is piped in as a whole ends at once.
 */
async function finishes(running: Running, stop: Stop): Promise<boolean> {
  const finished = running.finish();
  if (await settlesWithin(graceMs, finished)) return true;
  const until = performance.now() + awaitedMs;
  while (running.isAwaited && !stop.isSignalled && performance.now() < until)
    if (await settlesWithin(awaitedStepMs, finished)) return true;
  return false;
}

/** Clients over HTTP are other people's, and get what is on this machine alone. */
function withoutRemotes(configuration: Configuration): Configuration {
  return { ...configuration, values: { ...configuration.values, remotes: 'off' } };
}

/** Writes a note; one that nobody reads is lost, and no reason to stop serving. */
function writeNote(line: string): void {
  try {
    writeSync(2, line);
  } catch {
    // The stream is closed, or full.
  }
}

/** A request to end the server, with its reason. The first one counts. */
export interface Stop {
  readonly reason: Promise<string>;
  /** Whether a signal has come, first or later. */
  readonly isSignalled: boolean;
  now(reason: string): void;
}

/** Time that requests under way may take once a server is stopping. */
const graceMs = 2_000;
/** Time beyond that for a client that waits for them, and the interval at which it is looked whether it still does. */
const [awaitedMs, awaitedStepMs] = [10_000, 100];

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function createStop(log: Logger): Stop {
  let stop: (reason: string) => void = () => {};
  const reason = new Promise<string>((resolve) => {
    stop = resolve;
  });
  let isSignalled = false;
  for (const signal of signals) {
    process.on(signal, () => {
      isSignalled = true;
      stop(signal);
    });
  }
  process.on('unhandledRejection', (error) => log.error('unforeseen', { error: stackOf(error) }));
  return {
    reason,
    get isSignalled() {
      return isSignalled;
    },
    now: (why) => stop(why),
  };
}

/**
 * Ends the process after a time: work that never ends, such as a scan of a huge disk, must not keep alive a server that
 * nobody uses any more.
 */
function endAnyway(afterMs: number): void {
  // oxlint-disable-next-line no-process-exit -- nothing else ends a process whose other work goes on
  setTimeout(() => process.exit(), afterMs).unref();
}
