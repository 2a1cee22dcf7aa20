import { signal } from '@preact/signals';
import { grouped } from '../core/text/text.ts';
import type { LiveEvent, LiveType } from '../faces/web/shapes.ts';
import { checkSession } from './session.ts';

/** Whether live events come in at present. */
export const isLive = signal(false);

/** Skills that the first scan of the server has read so far; 0 as long as none is known. */
const scanned = signal(0);

/** Progress of the first scan, for people who wait for it. */
export function scanInWords(): string {
  const far =
    scanned.value === 0 ? 'Looking through the folders for skills.' : `${grouped(scanned.value)} skills read so far.`;
  return `${far} The first time takes longest.`;
}

/** Revisions by kind of event. Each goes up with every event of its kind, and views of such data load again. */
export const revisions: Readonly<Record<Exclude<LiveType, 'scan'>, { value: number }>> = {
  skills: signal(0),
  grants: signal(0),
  execution: signal(0),
  activity: signal(0),
};

type Listener = (event: LiveEvent) => void;
const listeners = new Set<Listener>();

/** Registers a callback for every event; returns a disposer. */
export function onLive(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Time after which a hidden page closes its connection: a browser keeps few to one server, and leaves them to others.
 */
const hiddenMs = 5000;
/** Delay before another attempt: where the server refuses, a browser does not try again by itself. */
const againMs = 5000;

/** Listens to the server while the page is visible. Returns a disposer. */
export function listenToServer(): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasOpen = false;

  function connect(): void {
    const mine = new EventSource('api/events');
    source = mine;
    mine.onopen = () => {
      isLive.value = true;
      // Events missed while nobody listened are made up for now.
      if (wasOpen) for (const revision of Object.values(revisions)) revision.value++;
      wasOpen = true;
    };
    mine.onmessage = ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as LiveEvent;
      if (event.type === 'scan') scanned.value = event.found;
      else revisions[event.type].value++;
      for (const listener of listeners) listener(event);
    };
    mine.onerror = () => {
      isLive.value = false;
      if (mine.readyState !== EventSource.CLOSED) return;
      leave();
      void checkSession(); // the server may be a different one by now
      timer = setTimeout(look, againMs);
    };
  }
  function leave(): void {
    source?.close();
    source = null;
    isLive.value = false;
  }
  function look(): void {
    clearTimeout(timer);
    const isSeen = document.visibilityState === 'visible';
    if (!isSeen) timer = setTimeout(leave, hiddenMs);
    else if (source === null) connect();
  }

  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearTimeout(timer);
    leave();
  };
}
