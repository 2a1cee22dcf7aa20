import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/core/hash.ts';
import { startTeam, tenantSkill } from '../access/tenants.ts';
import { startNats } from '../support/nats.ts';
import { createWorld } from '../support/world.ts';
import { startTestWorker } from './team.ts';

describe("a person's secrets on a worker", () => {
  it('are given to her alone, however much the names of others look like hers', async () => {
    const nats = await startNats();
    const worker = await startTestWorker(nats, 'one');
    const world = createWorld();
    tenantSkill(world, 'cobalt', 'printf %s "$API_TOKEN" | sha256sum', '[capabilities]\nsecrets = ["API_TOKEN"]');
    expect((await world.run(['grant', 'cobalt-vault', '--yes'])).code).toBe(0);
    const long = 'l'.repeat(300);
    worker.shop.config('secrets.toml', 'API_TOKEN = "of-the-machine"\n', 0o600);
    worker.shop.config(
      'user-secrets.toml',
      `[ann]\nAPI_TOKEN = "of-ann-herself"\n[${long}]\nAPI_TOKEN = "of-the-long-one"\n`,
      0o600,
    );
    const people = ['ann', 'ann ', ' ann', 'ann\n', long, `${long}x`];
    const rules = `[[rules]]\nsubjects = ${JSON.stringify(people)}\nrun = ["*"]\n`;
    const team = await startTeam(rules, ['--cluster', nats.url, '--executions', 'cluster'], world);
    const answer = async (subject: string): Promise<string> =>
      (
        await team.modern(subject, 'tools/call', {
          name: 'skill-engine/execute',
          arguments: { skill_name: 'cobalt-vault', tool_name: 'tell', parameters: {} },
        })
      ).text;
    const [, folder] = /repertoire grant ([^\s"\\]+)/.exec(await answer('ann')) ?? [];
    await worker.shop.grant(folder);
    const sums: (string | undefined)[] = [];
    for (const one of people) sums.push(/[0-9a-f]{64}(?= {2}-)/.exec(await answer(one))?.[0]);
    const machine = sha256('of-the-machine');
    expect(sums).toEqual([
      ...[sha256('of-ann-herself'), machine, machine, machine],
      ...[sha256('of-the-long-one'), machine],
    ]);
    const subjects = worker.shop.records().flatMap((record) => ('subject' in record ? record.subject : []));
    expect(new Set(subjects)).toEqual(new Set(people));
  });
});
