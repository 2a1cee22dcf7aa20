import { describe, expect, it } from 'vitest';
import { shTool, startTestWorker } from '../../cluster/team.ts';
import { Workshop } from '../../run/workshop.ts';
import { useBrowser } from '../../support/browser.ts';
import { startNats } from '../../support/nats.ts';
import { createWorld } from '../../support/world.ts';
import { eventually, expectText, textOf, visit, widthOf } from '../visit.ts';

const browser = useBrowser();

describe('the page of the cluster', () => {
  it('shows servers, workers, queues and the revision of the catalogue, and who was lost', async () => {
    const nats = await startNats();
    const worker = await startTestWorker(nats, 'one', ['--labels', 'gpu', '--concurrency', '1']);
    const author = new Workshop();
    author.skill(shTool('hello', 'echo hello'));
    await author.run(['publish', 'demo', '--to', nats.url]);
    const world = createWorld();
    world.skill('project/skills/busy');
    world.write('project/skills/busy/skill.toml', shTool('wait', 'sleep 25'));
    const env = { REPERTOIRE_CLUSTER: nats.url, REPERTOIRE_EXECUTIONS: 'cluster' };
    const { page, served } = await visit(browser(), world, { env });
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Cluster' }).click();
    const table = (name: string) => textOf(page.getByRole('table', { name }));
    await expectText(page, 'catalogue at revision 1');
    await eventually(() => table('Workers')).toMatch(/one\s+ready\s+0 of 1\s+[\w, ]*gpu/);
    await eventually(() => table('Servers')).toMatch(
      new RegExp(`${served.child.pid}\\s+ready\\s+stable\\s+up to date`),
    );
    await expectText(page, 'Nothing waits for a worker.');
    // One runs, and the others wait for it: again, when they were told that all are busy.
    let isOver = false;
    const calls = [1, 2, 3].map(async () => {
      while (!isOver) await served.run({ target: 'busy:wait' });
    });
    await eventually(() => table('Workers')).toMatch(/one\s+ready\s+1 of 1/);
    await eventually(() => table('Queues')).toMatch(/native\s+\S+\s+2\s+1/);
    isOver = true;
    worker.child.kill('SIGKILL');
    await Promise.all(calls);
    await eventually(() => table('Workers')).toMatch(/one\s+lost/);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await widthOf(page)).toBeLessThanOrEqual(360);
  });

  it('is not there without a cluster', async () => {
    const { page } = await visit(browser(), createWorld());
    expect(await page.getByRole('link', { name: 'Cluster' }).count()).toBe(0);
  });
});
