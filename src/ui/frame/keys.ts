import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hrefOf, route } from '../route.ts';
import { menu } from './menu.ts';

/** The dialog that is open above the page. */
export const overlay = signal<'palette' | 'keys' | null>(null);

interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
}

/** All keys, as the help shows them. */
export const shortcuts = (): readonly Shortcut[] => [
  { keys: ['Ctrl', 'K'], does: 'Search pages, skills, tools and actions' },
  { keys: ['/'], does: 'The same; on Skills, go to the search box' },
  { keys: ['?'], does: 'Show these keys' },
  ...menu().map(({ key, title }) => ({ keys: ['g', key], does: `Go to ${title}` })),
  { keys: ['↓', '↑'], does: 'Go through a list of skills' },
  { keys: ['Enter'], does: 'Open what has the focus' },
  { keys: ['Esc'], does: 'Close, or clear the search' },
  { keys: ['Ctrl', 'Enter'], does: 'Run, on the page of a tool' },
];

/** The time within which the second of two keys counts. */
const togetherMs = 1500;

/** Keys that do something wherever nobody is typing; whether they did. */
function createPresses(): (key: string) => boolean {
  let goneAt = 0;
  const opens = (what: 'palette' | 'keys'): boolean => {
    overlay.value = what;
    return true;
  };
  return (key) => {
    const wasGo = Date.now() - goneAt < togetherMs;
    goneAt = key === 'g' && !wasGo ? Date.now() : 0;
    const page = wasGo ? menu().find((item) => item.key === key)?.page : undefined;
    if (page !== undefined) {
      location.hash = hrefOf(page);
      return true;
    }
    // On its own page, the box of the search takes the key.
    if (key === '/' && route.value.page !== 'skills') return opens('palette');
    return key === '?' && opens('keys');
  };
}

/** Listens for the keys that work everywhere. */
export function useKeys(): void {
  useEffect(() => {
    const press = createPresses();
    const listen = (event: KeyboardEvent): void => {
      const isOpening = isPalette(event);
      if (isOpening) overlay.value = overlay.value === 'palette' ? null : 'palette';
      if (isOpening || (isFree(event) && press(event.key))) event.preventDefault();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** Whether a key is not meant for something else. */
function isFree({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey && overlay.value === null && !isWriting(target);
}

function isPalette({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey;
}

/** Whether somebody is typing. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}
