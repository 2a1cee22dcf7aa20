import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { launchFirefox, withoutPolicy } from './firefox.ts';
import { timeoutMs } from './timeout.ts';

/** Browsers: where they are, and how they are started. */
const browsers = {
  Chromium: {
    places: ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'],
    // Root may not use the browser's own sandbox; what is opened here is ours.
    launch: (executablePath: string) => chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: timeoutMs }),
  },
  Firefox: { places: ['/usr/bin/firefox-esr', '/usr/bin/firefox'], launch: launchFirefox },
};
type BrowserName = keyof typeof browsers;

/** Browsers for what must be the same in each; `TEST_BROWSERS` can name some of them. */
const chosen = (process.env['TEST_BROWSERS']?.split(',') ?? Object.keys(browsers)) as BrowserName[];

/** Describes something that must be the same in every browser. */
export function describeInBrowsers(what: string, journeys: (browser: () => Browser) => void): void {
  describe.each(chosen)(`${what}, in %s`, (name) => journeys(useBrowser(name)));
}

/** The browser of some tests: started with the first of them, and closed after the last. */
export function useBrowser(name: BrowserName = 'Chromium'): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const { places, launch } = browsers[name];
    const executablePath = places.find((path) => existsSync(path));
    if (executablePath === undefined) throw new Error(`no ${name}: run \`npm run machine\``);
    browser = await launch(executablePath);
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

/** What Firefox says of the stream of events when a page is left or loaded again, which cuts it. */
const leaving = /^(The connection to|Firefox can’t establish a connection to the server at) \S+\/api\/events/;

export interface WindowOptions extends BrowserContextOptions {
  /** Complaints that the test provokes; any other one fails it. */
  readonly provoked?: RegExp;
}

/** Opens an address in a fresh window. A test in which the browser complains of anything fails. */
export async function openPage(browser: Browser, url: string, options: WindowOptions = {}): Promise<Watched> {
  const { provoked, ...rest } = options;
  const context = await browser.newContext(rest);
  onTestFinished(() => context.close());
  context.setDefaultTimeout(timeoutMs);
  if (browser.browserType().name() === 'firefox') await withoutPolicy(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  onTestFinished(() => expect(complaints.filter((one) => provoked?.test(one) !== true)).toEqual([]));
  const complain = (kind: string, text: string): void => {
    if (!leaving.test(text)) complaints.push(`${kind}: ${text}`);
  };
  page.on('pageerror', (error) => complain('error', error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complain(message.type(), message.text());
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
  await page.evaluate(`(() => { ${axe} })()`);
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
