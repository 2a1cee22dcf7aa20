import { signal } from '@preact/signals';
import type { LiveEvent, LiveType } from '../faces/web/shapes.ts';
import { checkSession } from './session.ts';

/** Whether news come in at present. */
export const isLive = signal(false);

/** Goes up whenever there is news of a kind: whoever shows such things looks again. */
export const revisions: Readonly<Record<LiveType, { value: number }>> = {
  skills: signal(0),
  grants: signal(0),
  execution: signal(0),
  activity: signal(0),
};

type Listener = (event: LiveEvent) => void;
const listeners = new Set<Listener>();

/** Calls back for every event as it comes; returns how to stop. */
export function onLive(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A browser keeps few connections to one server: pages that nobody sees leave theirs to others, after so long. */
const hiddenMs = 5000;
/** Where the server refuses, a browser does not try again by itself. */
const againMs = 5000;

/** Listens to the server while somebody looks at the page. Returns how to stop. */
export function listenToServer(): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasOpen = false;

  function connect(): void {
    const mine = new EventSource('/api/events');
    source = mine;
    mine.onopen = () => {
      isLive.value = true;
      // Whatever happened while nobody listened is looked at now.
      if (wasOpen) for (const revision of Object.values(revisions)) revision.value++;
      wasOpen = true;
    };
    mine.onmessage = ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as LiveEvent;
      revisions[event.type].value++;
      for (const listener of listeners) listener(event);
    };
    mine.onerror = () => {
      isLive.value = false;
      if (mine.readyState !== EventSource.CLOSED) return;
      leave();
      void checkSession(); // it may be another server by now
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
