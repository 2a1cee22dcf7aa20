import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openPage, type Watched, type WindowOptions } from '../support/browser.ts';
import { type ServedConsole, type ServeOptions, serveConsole } from '../support/console.ts';
import type { World } from '../support/world.ts';

export interface Visit extends Watched {
  readonly served: ServedConsole;
}

export interface VisitOptions extends ServeOptions {
  /** A page of the console, such as `#/health`; the skills if not said. */
  readonly at?: string;
  readonly window?: WindowOptions;
}

/** Serves a world and opens its console by the link, as a person does. */
export async function visit(browser: Browser, world: World, options: VisitOptions = {}): Promise<Visit> {
  const { at, window, ...serving } = options;
  const served = await serveConsole(world, serving);
  const watched = await openPage(browser, served.link, window);
  await watched.page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await goTo(watched.page, at ?? '#/skills');
  return { ...watched, served };
}

/** Goes to another page of the console, as if its address were typed. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

/** The words of what has the focus. */
export function focusedText(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent');
}

/** How wide all of it is, which is more than the window where it has to be scrolled sideways. */
export function widthOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.scrollingElement.scrollWidth');
}

/** How wide a picture is; nothing where it could not be drawn. */
export function pictureWidth(picture: Locator): Promise<number> {
  return picture.evaluate((image) => (image as unknown as { readonly naturalWidth: number }).naturalWidth);
}

/** What a person would read of something. */
export function textOf(place: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: what cannot be seen is not read.
  return place.innerText();
}

/** Looks again and again, for as long as a busy machine may need. */
export function eventually<T>(look: () => T | Promise<T>) {
  return expect.poll(look, { interval: 30 });
}

/** Waits until the page has a text somewhere. */
export async function expectText(page: Page, text: string | RegExp): Promise<void> {
  const matches = typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text);
  await eventually(() => textOf(page.getByRole('main'))).toEqual(matches);
}
