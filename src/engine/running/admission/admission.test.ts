import { describe, expect, it } from 'vitest';
import { createAdmission } from './admission.ts';

const never = new AbortController().signal;
const limits = { maxConcurrent: 2, maxConcurrentPerSkill: 2, maxQueue: 100 };
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('admission', () => {
  it('lets in no more than may run at once, in all and of one skill', async () => {
    const admission = createAdmission({ ...limits, maxConcurrent: 3 });
    const first = await admission.enter('a', never);
    await admission.enter('a', never);
    let third = false;
    void admission.enter('a', never).then(() => {
      third = true;
    });
    const other = await admission.enter('b', never); // another skill has its own share
    await soon();
    expect([third, admission.running, admission.waiting]).toEqual([false, 3, 1]);
    other();
    await soon();
    expect(third).toBe(false);
    first();
    first(); // giving back twice is giving back once
    await soon();
    expect([third, admission.running, admission.waiting]).toEqual([true, 2, 0]);
  });

  it('takes turns, so that one skill cannot keep another waiting', async () => {
    const admission = createAdmission(limits);
    const order: string[] = [];
    const run = async (skill: string) => {
      const leave = await admission.enter(skill, never);
      order.push(skill);
      await soon();
      leave();
    };
    const greedy = Array.from({ length: 50 }, () => run('greedy'));
    await Promise.all([...greedy, run('modest')]);
    expect(order.indexOf('modest')).toBeLessThan(6);
    expect(order).toHaveLength(51);
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });

  it('says so when too many wait, and forgets who no longer waits', async () => {
    const admission = createAdmission({ maxConcurrent: 1, maxConcurrentPerSkill: 1, maxQueue: 1 });
    const leave = await admission.enter('a', never);
    const controller = new AbortController();
    const gone = admission.enter('a', controller.signal);
    await expect(admission.enter('b', never)).rejects.toMatchObject({ code: 'busy' });
    controller.abort(new Error('cancelled'));
    await expect(gone).rejects.toThrow('cancelled');
    const next = admission.enter('b', never);
    leave();
    (await next)();
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });
});
