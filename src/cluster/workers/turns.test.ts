import { describe, expect, it } from 'vitest';
import { createTurns } from './turns.ts';

const never = new AbortController().signal;

describe('turns', () => {
  it('go around among users, and among the skills of each', async () => {
    const turns = createTurns();
    const order: string[] = [];
    const first = await turns.take({ user: 'ann', skill: 'x' }, never);
    const asked = ['ann x', 'ann x', 'ann x', 'ann y', 'ann z', 'bob x', 'bob x'].map(async (words) => {
      const [user = '', skill = ''] = words.split(' ');
      const leave = await turns.take({ user, skill }, never);
      order.push(words);
      leave();
    });
    expect([turns.waiting, turns.users]).toEqual([8, 2]);
    first();
    await Promise.all(asked);
    expect(order).toEqual(['ann x', 'bob x', 'ann y', 'bob x', 'ann z', 'ann x', 'ann x']);
    expect([turns.waiting, turns.users]).toEqual([0, 0]);
  });

  it('are given to one at a time, whoever comes just when one ends', async () => {
    const turns = createTurns();
    let holders = 0;
    let most = 0;
    const work = async (user: string): Promise<void> => {
      const leave = await turns.take({ user, skill: 'x' }, never);
      most = Math.max(most, ++holders);
      await Promise.resolve();
      holders--;
      leave();
      await Promise.resolve();
    };
    await Promise.all(['ann', 'bob', 'ann', 'bob', 'ann'].map(async (user) => [await work(user), await work(user)]));
    expect(most).toBe(1);
  });

  it('pass by whoever has left the line', async () => {
    const turns = createTurns();
    const leave = await turns.take({ user: 'ann', skill: 'x' }, never);
    const leaving = new AbortController();
    const gone = turns.take({ user: 'bob', skill: 'x' }, leaving.signal);
    const next = turns.take({ user: 'eve', skill: 'x' }, never);
    leaving.abort(new Error('left'));
    await expect(gone).rejects.toThrow('left');
    expect([turns.waiting, turns.users]).toEqual([2, 2]);
    leave();
    (await next)();
    expect(turns.waiting).toBe(0);
  });
});
