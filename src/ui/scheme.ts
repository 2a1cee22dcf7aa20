import { signal } from '@preact/signals';
import { attempt } from '../core/attempt.ts';

/** The colour schemes that a reader chooses from. */
export const schemes = ['system', 'light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

/** The key in the browser's storage; a browser that keeps nothing follows the system. */
const kept = 'scheme';

export const scheme = signal<Scheme>(readScheme());

/** Chooses a scheme, and keeps the choice. */
export function chooseScheme(chosen: Scheme): void {
  scheme.value = chosen;
  try {
    localStorage.setItem(kept, chosen);
  } catch {
    // A browser may forbid it: the choice holds until the page is closed.
  }
}

function readScheme(): Scheme {
  return attempt(() => schemes.find((one) => one === localStorage.getItem(kept)) ?? 'system', 'system');
}

// Before anything is drawn, and with every choice from then on.
scheme.subscribe((chosen) => {
  document.documentElement.dataset['scheme'] = chosen;
});
