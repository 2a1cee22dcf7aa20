import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectAccessible, useBrowser } from '../../support/browser.ts';
import { createWorld, type World } from '../../support/world.ts';
import { claude, courier, worldWith } from '../skills-for-people.ts';
import { eventually, expectText, pictureWidth, textOf, visit, widthOf } from '../visit.ts';
import { pixel } from '../worlds.ts';

const browser = useBrowser();

/** A skill `lab` with a script for each tool, which may write much. */
function lab(world: World, tools: Readonly<Record<string, string>>): void {
  world.skill(`${claude}/lab`, { description: 'Writes all sorts of things.' });
  const tables = Object.keys(tools).map(
    (name) =>
      `[tools.${name}]\ncommand = ["sh", "scripts/${name}.sh", "{word}"]\nparameters.word = { type = "string" }\n`,
  );
  world.write(`${claude}/lab/skill.toml`, tables.join('\n'));
  for (const [name, text] of Object.entries(tools)) world.write(`${claude}/lab/scripts/${name}.sh`, `${text}\n`);
  world.write('home/.config/repertoire/policy.toml', '[limits]\nmax_output = "16MB"\n');
}

describe('the test bench', () => {
  it('keeps what was typed on the way to a grant and back, and over a reload', async () => {
    const world = worldWith(courier);
    world.write(`${claude}/courier/skill.toml`, asking);
    const env = { REGION: 'the north' };
    const { page } = await visit(browser(), world, { at: '#/run/courier/send', env });
    const message = page.getByRole('textbox', { name: /^message/ });
    await message.fill('typed with care');
    await page.getByRole('link', { name: 'Review what it asks for' }).click();
    await page.getByRole('checkbox', { name: /REGION/ }).waitFor();
    await page.goBack();
    await eventually(() => message.inputValue()).toBe('typed with care');
    await page.reload();
    await eventually(() => message.inputValue()).toBe('typed with care');
    await page.getByRole('link', { name: 'Review what it asks for' }).click();
    // By keyboard alone.
    await page.getByRole('checkbox', { name: /REGION/ }).press('Space');
    await page.getByRole('button', { name: 'Grant it and run send' }).press('Enter');
    await expectText(page, 'typed with care from the north');
    expect(await message.inputValue()).toBe('typed with care');
  });

  it('runs nothing because of an address', async () => {
    const world = createWorld();
    lab(world, { say: 'echo said' });
    const { page } = await visit(browser(), world, { at: '#/run/lab/say?run=1&for=say' });
    await expectText(page, 'The output appears here');
    await page.goBack();
    expect((await world.run(['audit', '--json'])).json()).toMatchObject({ executions: [] });
  });

  it('shows colours, finds by keyboard, wraps, and downloads all of it', async () => {
    const world = createWorld();
    lab(world, {
      mixed: String.raw`printf '\033[31mred alarm\033[0m plain alarm\n'; for i in 1 2 3; do echo "Alarm $i"; done`,
    });
    const { page } = await visit(browser(), world, { at: '#/run/lab/mixed' });
    await page.getByRole('heading', { level: 1, name: 'Run mixed' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await expectText(page, 'Finished with exit code 0');
    const output = page.getByRole('log', { name: 'Output of the run' });
    expect(await output.locator('.ansi-red').allTextContents()).toEqual(['red alarm']);
    const find = page.getByRole('searchbox', { name: 'Find in the output' });
    await find.fill('ALARM');
    await expectText(page, '1 of 5 matches');
    await find.press('Enter');
    await find.press('Enter');
    await expectText(page, '3 of 5 matches');
    await find.press('Shift+Enter');
    await expectText(page, '2 of 5 matches');
    expect(await output.locator('mark.current').allTextContents()).toEqual(['alarm']);
    await page.getByRole('checkbox', { name: 'Wrap lines' }).uncheck();
    await eventually(() => output.evaluate((box) => (box as unknown as { className: string }).className)).toContain(
      'unwrapped',
    );
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download/ }).click(),
    ]);
    const bytes = readFileSync(await download.path(), 'latin1');
    expect(bytes).toBe('\x1b[31mred alarm\x1b[0m plain alarm\nAlarm 1\nAlarm 2\nAlarm 3\n');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
  });

  it('shows a picture as a picture', async () => {
    const world = createWorld();
    lab(world, { draw: `printf %s '${pixel.toString('base64')}' | base64 -d` });
    const { page } = await visit(browser(), world, { at: '#/run/lab/draw' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await eventually(() => pictureWidth(page.getByRole('img', { name: 'What the tool drew' }))).toBe(1);
  });

  it('repeats earlier runs, shows what they wrote, and has the call for elsewhere', async () => {
    const world = createWorld();
    lab(world, { say: 'echo "said $1"' });
    const { page } = await visit(browser(), world, { at: '#/run/lab/say' });
    const word = page.getByRole('textbox', { name: /^word/ });
    const before = page.getByRole('list', { name: 'Runs before' }).getByRole('listitem');
    for (const [at, text] of ['first', 'second'].entries()) {
      await word.fill(text);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await expectText(page, `said ${text}`);
      await eventually(() => before.count()).toBe(at + 1);
    }
    await before.nth(1).getByRole('button', { name: 'Show' }).click();
    await expectText(page, 'An earlier run');
    await expectText(page, 'said first');
    await before.nth(1).getByRole('button', { name: 'Run again' }).click();
    await eventually(() => before.count()).toBe(3);
    await expectText(page, 'said first');
    expect(await word.inputValue()).toBe('first');
    await page.getByText('Copy this call').click();
    expect(await textOf(page.getByRole('region', { name: 'Command', exact: true }))).toContain(
      `repertoire run lab:say --params '{"word":"first"}'`,
    );
    for (const width of [1400, 768, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await widthOf(page)).toBeLessThanOrEqual(width);
    }
  });

  it('says what cannot work before the button', async () => {
    const world = createWorld();
    world.skill(`${claude}/lab`);
    world.write(`${claude}/lab/skill.toml`, '[tools.lacking]\ncommand = ["frobnicate-it"]\n');
    await world.run(['grant', 'lab', '--yes']);
    const { page } = await visit(browser(), world, { at: '#/run/lab/lacking' });
    await expectText(page, 'It cannot run now.');
    await expectText(page, 'frobnicate-it is not installed on this machine');
  });
});

const asking = `
[capabilities]
env = ["REGION"]
[tools.send]
command = ["sh", "-c", 'echo "$1 from $REGION"', "sh", "{message}"]
parameters.message = { type = "string", required = true }
`;

describe('hostile output', () => {
  it.each([
    ['ten megabytes', 'yes "a line of some length, written again and again" | head -c 10000000', 10_000_000],
    [
      'a storm of colours',
      String.raw`i=0; while [ $i -lt 300 ]; do printf '\033[31mr\033[32mg\033[0;1mb'; i=$((i+1)); done; yes "$(printf '\033[31mx\033[32my')" | head -c 2000000`,
      null,
    ],
    ['random bytes', 'head -c 300000 /dev/urandom', 300_000],
  ])('of %s leaves the page usable, and its numbers agree', async (_what, script, bytes) => {
    const world = createWorld();
    lab(world, { flood: script });
    const { page } = await visit(browser(), world, { at: '#/run/lab/flood' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expectText(page, 'Finished with exit code 0');
    await page.getByRole('link', { name: /^Download/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Find in the output' }).fill('zzz no such thing');
    await expectText(page, 'No match');
    if (bytes !== null) {
      const { executions } = (await world.run(['audit', '--json'])).json<{ executions: { outputBytes: number }[] }>();
      expect(executions.map(({ outputBytes }) => outputBytes)).toEqual([bytes]);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: /^Download/ }).click(),
      ]);
      expect(readFileSync(await download.path()).length).toBe(bytes);
    }
  });

  it('turns no text around, and is no markup', async () => {
    const world = createWorld();
    lab(world, {
      turn: String.raw`printf '\342\200\256gpj.exe\342\200\254 <img src=x onerror=alert(1)> \033]8;;javascript:alert(1)\007link\033]8;;\007\n'`,
    });
    const { page } = await visit(browser(), world, { at: '#/run/lab/turn' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const output = page.getByRole('log', { name: 'Output of the run' });
    await eventually(() => textOf(output)).toContain('\ufffdgpj.exe\ufffd <img src=x onerror=alert(1)> link');
    expect(await output.locator('img, a').count()).toBe(0);
  });
});
