import { SkillError } from '../../core/errors.ts';
import { followActivity, followExecutions } from '../../engine/activity/follow.ts';
import { followRevisions } from '../../engine/browsing/revision.ts';
import type { Engine } from '../../engine/engine.ts';
import { isRuled } from '../../engine/operation.ts';
import { watchGrants } from '../../engine/running/permissions/watch-grants.ts';
import type { Exchange } from '../http/exchange.ts';
import { callerOf } from '../http/identity.ts';
import { pageHeaders } from './answers.ts';
import { isReader, newsForReaders, newsForRuled } from './caller.ts';
import type { ConsoleMode, LiveEvent } from './shapes.ts';

/** Sends live events to open pages. */
export interface Live {
  /** Keeps an exchange open, and sends it all events from then on. */
  listen(exchange: Exchange): void;
  tell(event: LiveEvent): void;
  close(): void;
}

/** Interval of heartbeats, which keep proxies in between from closing an idle connection. */
const heartbeatMs = 15_000;
const mostPages = 200;

/** Interval at which pages are told how far the first scan is. */
const scanMs = 250;

export function createLive(engine: Engine, mode: ConsoleMode): Live {
  const pages = new Set<Exchange>();
  const first = firstScan(engine.registry);
  let following: (() => void) | undefined;

  function tell(event: LiveEvent): void {
    const [all, some, least] = [event, newsForReaders(event), newsForRuled(event)].map((one) =>
      one === null ? '' : `data: ${JSON.stringify(one)}\n\n`,
    );
    for (const page of pages) {
      const text = isRuled(engine, callerOf(page.identity)) ? least : isReader(page.identity, mode) ? some : all;
      if (text) send(page, text);
    }
  }

  /** Follows the disk and the logs, only while a page is open. */
  function follow(): () => void {
    const { environment } = engine;
    const stop = new AbortController();
    const { signal } = stop;
    const endings = [
      followRevisions(engine.registry, (revision) => {
        tell({ type: 'skills', revision });
        tell({ type: 'grants' }); // a file that changes may end a grant
      }),
      watchGrants(environment, () => tell({ type: 'grants' })),
    ];
    void each(followExecutions(environment, signal), (row) => tell({ type: 'execution', row }));
    void each(followActivity(environment, signal), (row) => tell({ type: 'activity', row }));
    const scanning = setInterval(() => {
      if (first.isOver()) clearInterval(scanning);
      else tell({ type: 'scan', found: first.found() });
    }, scanMs).unref();
    const heartbeat = setInterval(() => {
      for (const page of pages) send(page, ': \n\n');
    }, heartbeatMs).unref();
    return () => {
      stop.abort();
      clearInterval(heartbeat);
      clearInterval(scanning);
      for (const end of endings) end();
    };
  }

  function leave(page: Exchange): void {
    pages.delete(page);
    if (pages.size > 0) return;
    following?.();
    following = undefined;
  }

  return {
    listen(exchange) {
      if (pages.size >= mostPages) throw new SkillError('busy', 'too many pages are open', { hint: 'Close some.' });
      const { response } = exchange;
      response.writeHead(200, { ...pageHeaders, 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      response.write('retry: 2000\n\n');
      pages.add(exchange);
      response.once('close', () => leave(exchange));
      following ??= follow();
    },
    tell,
    close() {
      for (const { response } of pages) response.end();
    },
  };
}

/** Counts the skills of the first scan, until it is over. */
function firstScan(registry: Engine['registry']): { found(): number; isOver(): boolean } {
  let count = 0;
  const end = registry.observe({
    began() {},
    found() {
      count++;
    },
    ended: () => end(),
    failed() {},
  });
  return { found: () => count, isOver: () => registry.current !== undefined };
}

function send({ response }: Exchange, text: string): void {
  // A page that no longer reads would fill the memory.
  if (response.writableLength > 1_000_000) response.destroy();
  else if (response.writable) response.write(text);
}

async function each<T>(rows: AsyncIterable<T>, act: (row: T) => void): Promise<void> {
  try {
    for await (const row of rows) act(row);
  } catch {
    // A log may not be ours to read: pages learn that when they load it.
  }
}
