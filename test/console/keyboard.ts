import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { settled } from '../support/browser.ts';

/** Where the keyboard is. */
interface Stop {
  /** Nothing where the focus was lost. */
  readonly what: string;
  readonly isVisible: boolean;
  /** Whether it belongs to the page, and not to its frame. */
  readonly isInMain: boolean;
}

const look = `(() => {
  const at = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const { width, height, top, bottom } = at.getBoundingClientRect();
  const isLost = at === document.body;
  const words = (at.getAttribute('aria-label') ?? at.textContent).trim().slice(0, 60);
  return {
    what: isLost ? '' : at.localName + ' ' + (at.id || words),
    isVisible: outlineStyle !== 'none' && parseFloat(outlineWidth) > 0 && width > 0 && height > 0 && bottom > 0 && top < innerHeight,
    isInMain: !isLost && at.closest('main > *') !== null,
  };
})()`;

export function stopOf(page: Page): Promise<Stop> {
  return page.evaluate<Stop>(look);
}

export function isFocused(place: Locator): Promise<boolean> {
  return place.evaluate((element) => element === element.ownerDocument.activeElement);
}

/** Goes on by Tab until something that is shown has the focus. Wherever it stops can be seen. */
export async function tabTo(page: Page, place: Locator): Promise<void> {
  // Behind the last thing shown, Tab leaves the page; what is still being loaded would be missed.
  await place.waitFor();
  await settled(page);
  for (let steps = 0; steps < 100; steps++) {
    await page.keyboard.press('Tab');
    const stop = await stopOf(page);
    expect(stop).toMatchObject({ what: expect.stringMatching(/./), isVisible: true });
    if (await isFocused(place)) return;
  }
  throw new Error(`Tab does not lead to ${place.toString()}`);
}

/** All stops of a page that was just loaded, from its top to its end. */
export async function allStops(page: Page): Promise<readonly Stop[]> {
  const stops: Stop[] = [];
  await settled(page);
  for (let steps = 0; steps < 400; steps++) {
    await page.keyboard.press('Tab');
    const stop = await stopOf(page);
    if (stop.what === '' || (stops.length > 0 && stop.what === stops[0]?.what)) return stops;
    stops.push(stop);
  }
  throw new Error('there is no end');
}
