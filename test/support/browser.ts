import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { patienceMs } from './patience.ts';

const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];

/** The browser of a file of tests: started with the first of them, and closed after the last. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const executablePath = places.find((path) => existsSync(path));
    if (executablePath === undefined) throw new Error('no Chromium: run `npm run machine`');
    // Root may not use the browser's own sandbox; what is opened here is ours.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: patienceMs });
  });
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined) throw new Error('the browser is not there yet');
    return browser;
  };
}

export interface Watched {
  readonly page: Page;
  /** What the browser complained of: errors of scripts, of the console, of the policy, and requests that left this machine. */
  readonly complaints: string[];
}

/** Opens an address in a fresh window, in which nothing may go wrong unnoticed. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  const own = new URL(url).host;
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    if (host !== own && protocol !== 'blob:') complaints.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  return { page, complaints };
}

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
  }[];
}

/** Holds a page against the rules for those who cannot see it, or not well. */
export async function expectAccessible(page: Page): Promise<void> {
  await settled(page);
  // It is put in from outside, as an extension would: the page's own policy lets nothing in.
  const client = await page.context().newCDPSession(page);
  await client.send('Runtime.evaluate', { expression: axe });
  const result = (await page.evaluate('axe.run(document)')) as AxeResult;
  const found = result.violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map((node) => `  ${node.target.join(' ')}: ${node.failureSummary}`).join('\n')}`,
  );
  expect(found).toEqual([]);
}

/**
 * The page has seen how large its parts are by now, and listens for keys: what scrolls gets its place in the order of Tab one
 * frame later, and what is set up behind a drawing has been.
 */
export async function settled(page: Page): Promise<void> {
  for (let frame = 0; frame < 3; frame++) {
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
  }
}
