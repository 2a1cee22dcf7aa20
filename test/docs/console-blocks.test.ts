import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { endGroup } from '../../src/core/process-group.ts';
import { type Example, examplesOf, pages, patternOf, withoutTimes } from './examples.ts';
import { goesOn, notTyped, type Step, scenes } from './pages.ts';
import { freePort, Scene } from './scene.ts';

describe('console blocks of the documents', () => {
  it.each(pages)('%s: every command does what the page shows', async (page) => {
    const scene = new Scene(await freePort());
    const { before, steps = {} } = scenes[page] ?? {};
    await before?.(scene);
    for (const example of examplesOf(page).filter(({ command }) => !isNotTyped(command))) {
      await type(scene, example, steps[example.command] ?? {});
    }
  });

  it('are prepared and left out only where the pages have them', () => {
    const commands = pages.flatMap(examplesOf).map(({ command }) => command);
    expect(notTyped.filter(({ pattern }) => !commands.some((command) => pattern.test(command)))).toEqual([]);
    const prepared = Object.entries(scenes).flatMap(([page, { steps = {} }]) =>
      Object.keys(steps).map((command) => ({ page, command })),
    );
    const typed = ({ page, command }: { page: string; command: string }) =>
      examplesOf(page).some((example) => example.command === command);
    expect(prepared.filter((step) => !typed(step))).toEqual([]);
    expect(Object.keys(scenes).filter((page) => !pages.includes(page))).toEqual([]);
  });
});

function isNotTyped(command: string): boolean {
  return notTyped.some(({ pattern }) => pattern.test(command));
}

async function type(scene: Scene, { at, command, output }: Example, step: Step): Promise<void> {
  await step.before?.(scene);
  const pattern = patternOf(output.map((line) => withoutTimes(scene.typed(line))));
  const { child, text, ended } = scene.start(scene.typed(command));
  await step.meanwhile?.(scene);
  if (goesOn.test(command)) {
    // It says more before and after, now or later.
    const shown = output.length === 0 ? /./s : new RegExp(pattern.source.slice(1, -1));
    await expect.poll(() => withoutTimes(text()), { message: at }).toMatch(shown);
    expect([at, await Promise.race([ended, setTimeout(250, 'goes on')]), text()]).toEqual([at, 'goes on', text()]);
    endGroup(child);
    await ended;
    return;
  }
  expect([at, await ended, text()]).toEqual([at, step.code ?? 0, text()]);
  if (output.length > 0) expect(withoutTimes(text()), at).toMatch(pattern);
}
