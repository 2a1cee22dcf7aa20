import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

/**
 * Takes the pictures of the console that the README shows: a real server over the example skills, in a home of its own,
 * and a real browser. `npm run screenshots` takes them anew.
 */

const project = fileURLToPath(new URL('..', import.meta.url));
const folder = join(project, 'docs/images');
const home = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-pictures-')));
const program = join(project, 'dist/cli/bin.cjs');
const environment = { PATH: process.env['PATH'], HOME: home };
const browserPaths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];

/** What each picture is of: where to go, and what to do there. */
const pictures = [
  {
    name: 'console-home',
    route: '#/home',
    height: 720,
    /** @param {import('playwright-core').Page} page */
    async take(page) {
      await page.getByRole('region', { name: 'Needs you' }).waitFor();
    },
  },
  {
    name: 'console-skills',
    route: '#/skills',
    height: 800,
    /** @param {import('playwright-core').Page} page */
    async take(page) {
      await page.getByRole('searchbox').fill('review before release');
      await page.getByRole('list', { name: 'Found' }).getByRole('link', { name: 'changelog-writer' }).first().waitFor();
    },
  },
  {
    name: 'console-skill',
    route: '#/skill/kubernetes',
    height: 800,
    /** @param {import('playwright-core').Page} page */
    async take(page) {
      await page.getByRole('heading', { name: 'Take a snapshot' }).waitFor();
    },
  },
  {
    name: 'console-run',
    route: '#/run/kubernetes/triage',
    height: 1120,
    /** @param {import('playwright-core').Page} page */
    async take(page) {
      await page.getByLabel(/^namespace/).fill('shop');
      await page.getByText('Asking …').waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByText('Causes, the worst first').waitFor();
      // Its beginning says more than its end, which is what the page shows of something that has just come.
      await page.getByRole('log').evaluate((output) => output.scrollTo(0, 0));
      await page.evaluate(() => scrollTo(0, 0));
    },
  },
];

await main();

async function main() {
  mkdirSync(folder, { recursive: true });
  prepareHome();
  const server = await serve();
  const executablePath = browserPaths.find((path) => existsSync(path));
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
  try {
    for (const picture of pictures) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: picture.height },
        colorScheme: 'light',
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: 'UTC',
      });
      const page = await context.newPage();
      await page.goto(server.link);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.goto(server.link.replace(/#.*/, picture.route));
      await picture.take(page);
      // What comes by and by, such as the record of a run, has come by then.
      await page.waitForTimeout(1000);
      await page.screenshot({ path: join(folder, `${picture.name}.png`) });
      await context.close();
    }
  } finally {
    await browser.close();
    server.child.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The example skills, spread over the folders of four agents, two of which have settings; and one that nobody can read. */
function prepareHome() {
  const places = ['.claude/skills', '.agents/skills', '.codex/skills', '.cursor/skills'];
  for (const [index, name] of readdirSync(join(project, 'skills')).entries()) {
    cpSync(join(project, 'skills', name), join(home, places[index % places.length] ?? '', name), { recursive: true });
  }
  write('.codex/config.toml', 'model = "gpt-5"\n');
  write('.cursor/skills/half-written/SKILL.md', '---\nname: half-written\n');
}

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

/** @returns {Promise<{ link: string, child: import('node:child_process').ChildProcess }>} */
function serve() {
  const args = [program, 'web', '--no-open', '--port', '0'];
  const child = spawn(process.execPath, args, { cwd: home, env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      const link = /the console: (\S+)/.exec(line)?.[1];
      if (link !== undefined) resolve({ link, child });
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}
