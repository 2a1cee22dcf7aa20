import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { startServer } from '../clients/server.mjs';
import { program, summary } from '../measure.mjs';
import { single } from '../report.mjs';
import { crowdOf } from '../search/crowd.mjs';
import { many } from './figure.mjs';

/** @typedef {import('playwright-core').Page} Page */

const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];
/** A page that takes longer for anything hangs. */
const timeoutMs = 300_000;
const judged = /** @type {const} */ ('subject');
const queries = [
  'database',
  'deploy service',
  'write tests',
  'review code',
  'convert documents',
  'find errors in logs',
];

/**
 * What people wait for in the console, in a real browser: the first rows and the first number while nothing is known,
 * the answer after the last key; and what the page holds in memory.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function webConsole(sandbox, quick) {
  const executablePath = places.find((path) => existsSync(path));
  if (executablePath === undefined) {
    return [{ name: 'in a browser', unit: 'ms', subject: single(Number.NaN), note: 'not measured: no Chromium' }];
  }
  const crowd = await crowdOf(sandbox, many);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const told = [];
    for (let turn = 0; turn < (quick ? 1 : 3); turn++) told.push(await coldOpening(sandbox, crowd, browser));
    const { rows, keys, memoryMb } = await warmUse(sandbox, crowd, browser, quick ? 3 : 9);
    const with10k = `with ${many} skills`;
    return [
      { name: `first number, nothing known, ${with10k}`, unit: 'ms', subject: summary(told) },
      { name: `first rows, ${with10k}`, unit: 'ms', subject: summary(rows), judged, limit: 1000 },
      { name: `last key to answer, ${with10k}`, unit: 'ms', subject: summary(keys), judged, limit: 100 },
      { name: `memory of the page, ${with10k}`, unit: 'MB', subject: single(memoryMb), judged, limit: 30 },
    ];
  } finally {
    await browser.close();
  }
}

/** Milliseconds from opening the page of a server that has just started until it says how many skills were read. */
async function coldOpening(sandbox, crowd, browser) {
  sandbox.clearCache();
  const { server, link } = await serve(sandbox, crowd);
  const context = await browser.newContext();
  try {
    const began = performance.now();
    const page = await openSkills(context, link);
    await page
      .getByText(/[1-9][\d,]* skills/)
      .first()
      .waitFor();
    return performance.now() - began;
  } finally {
    await context.close();
    await server.stop();
  }
}

async function warmUse(sandbox, crowd, browser, times) {
  const { server, link } = await serve(sandbox, crowd);
  const context = await browser.newContext();
  try {
    const page = await openSkills(context, link);
    await firstRow(page).waitFor();
    await search(page, queries[0] ?? '');
    await clear(page);
    const rows = [];
    const keys = [];
    for (let turn = 0; turn < times; turn++) {
      const began = performance.now();
      await page.reload();
      await firstRow(page).waitFor();
      rows.push(performance.now() - began);
      for (const query of queries) keys.push(await search(page, query));
      await clear(page);
    }
    return { rows, keys, memoryMb: await memoryOf(page) };
  } finally {
    await context.close();
    await server.stop();
  }
}

async function serve(sandbox, crowd) {
  const server = startServer(sandbox, crowd, [program, 'web', '--no-open', '--port', '0']);
  const { text } = await server.logged(/the console: /);
  return { server, link: /the console: (\S+)/.exec(text)?.[1] ?? '' };
}

/** A page of all skills, in a window of its own. */
async function openSkills(context, link) {
  context.setDefaultTimeout(timeoutMs);
  const page = await context.newPage();
  await page.goto(link);
  // The page reads the token from its address before that may change.
  await page.waitForURL((address) => !address.hash.includes('token='));
  await page.evaluate(() => {
    location.hash = '#/skills';
  });
  return page;
}

/** @param {Page} page */
function firstRow(page) {
  return page.getByRole('list', { name: 'Skills', exact: true }).getByRole('listitem').first();
}

/** Empties the search and waits for the list: the address follows a moment later, and a reload would ask again. @param {Page} page */
async function clear(page) {
  await page.getByRole('searchbox').fill('');
  await firstRow(page).waitFor();
}

/**
 * Types a query, and tells the milliseconds from its last key until its answer is drawn. The browser measures, so that
 * the way between it and us does not count.
 *
 * @param {Page} page
 * @param {string} query
 * @returns {Promise<number>}
 */
async function search(page, query) {
  const box = page.getByRole('searchbox');
  await clear(page);
  await box.fill(query.slice(0, -1));
  await page.getByText(/ skills? fits?$/).waitFor();
  const answered = page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        const main = document.querySelector('main');
        let began = 0;
        document.addEventListener(
          'keydown',
          () => {
            began = performance.now();
          },
          { once: true, capture: true },
        );
        new MutationObserver((_changes, watch) => {
          if (began === 0 || !location.hash.includes(wanted)) return;
          if (!/ fits?$/m.test(main?.querySelector('[role="status"]')?.textContent ?? '')) return;
          watch.disconnect();
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
        }).observe(main ?? document, { childList: true, subtree: true, characterData: true, attributes: true });
      }),
    encodeURIComponent(query).replaceAll('%20', '+'),
  );
  await box.press(query.at(-1) ?? '');
  return /** @type {Promise<number>} */ (answered);
}

/** What the page holds after a collection: objects, the document, and what lies beside them. @param {Page} page */
async function memoryOf(page) {
  const client = await page.context().newCDPSession(page);
  await client.send('HeapProfiler.collectGarbage');
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = await client.send('Runtime.getHeapUsage');
  return (usedSize + embedderHeapUsedSize + backingStorageSize) / 1e6;
}
