import { describe, expect, it } from 'vitest';
import { ask } from '../serve/http.ts';
import { useBrowser } from '../support/browser.ts';
import { expectHarmless } from './hostile.ts';
import { image, quoted, turned, upright } from './hostile-world.ts';
import { library, workbench, worldWith } from './skills-for-people.ts';
import { expectText, goTo, visit } from './visit.ts';

const browser = useBrowser();

/** An agent that calls itself what it likes, and asks for what it likes. */
async function connect(url: string, name: string): Promise<(tool: string, input: object) => Promise<unknown>> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: quoted } };
  const opened = await ask(`${url}/mcp`, { body: { jsonrpc: '2.0', id: 1, method: 'initialize', params } });
  const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']), 'mcp-protocol-version': '2025-06-18' };
  await ask(`${url}/mcp`, { headers, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  return async (tool, input) => {
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: tool, arguments: input } };
    const answer = await ask(`${url}/mcp`, { headers, body: call });
    expect(answer.status).toBe(200);
    return answer.messages[0];
  };
}

describe('agents with scripts in their names and questions', () => {
  it('stay text among the sessions, in the activity, and in the charts', async () => {
    const world = worldWith(library, workbench);
    const { page, served } = await visit(browser(), world, { command: ['serve', '--transport', 'http'] });
    const call = await connect(served.url, image);
    await call('skills.search', { query: `${quoted} release` });
    await call('skill', { name: 'release-notes' });
    const parameters = { name: image, times: 1 };
    await call('skill-engine/execute', { skill_name: 'bench', tool_name: 'greet', parameters });
    const other = await connect(served.url, turned);
    await other('skill', { name: image });

    await goTo(page, '#/health');
    await expectText(page, image);
    await expectText(page, upright);
    await expectHarmless(page);
    await goTo(page, '#/activity?view=all');
    await expectText(page, `${quoted} release`);
    await expectText(page, image);
    await expectHarmless(page);
    await goTo(page, '#/activity');
    await page.getByRole('list', { name: 'Executions' }).locator('summary').first().click();
    await expectText(page, `"name": "${image}"`);
    await expectHarmless(page);
  });
});
