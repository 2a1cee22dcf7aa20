import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type Assertion, expect } from 'vitest';
import { timeoutMs } from '../../support/timeout.ts';
import type { World } from '../../support/world.ts';
import type { Agent } from './agents.ts';
import type { Conversation } from './conversation.ts';
import { hiddenFromModels, longText, picture, served } from './world.ts';

type Check = (
  chat: Conversation,
  hold: (value: unknown) => Assertion,
  world: World,
  agent: Agent,
) => Promise<void> | void;

/** What must hold in a conversation, in this order. */
const checks: Readonly<Record<string, Check>> = {
  catalogue(chat, hold) {
    const { shown } = chat;
    const missing = ['csv-profiler', 'kubernetes', 'with-files'].filter((name) => !shown.includes(name));
    // On a busy machine a first scan may take longer than a handshake waits for it; the model is told so.
    if (!shown.includes('still being read')) hold(missing).toEqual([]);
    hold(['none found', hiddenFromModels].filter((text) => shown.includes(text))).toEqual([]);
  },
  async search(chat, hold) {
    hold(await chat.call('skill-engine/search_skills', { query: 'why do my pods crash' })).toContain('kubernetes');
  },
  async load(chat, hold, world) {
    const text = await chat.call('skill', { name: 'csv-profiler' });
    hold(text).toMatch(/^Loading: csv-profiler\n/m);
    const file = readFileSync(world.path(`${served}/csv-profiler/SKILL.md`), 'utf8');
    hold(text.split(file).length - 1).toBe(1);
  },
  async file(chat, hold) {
    const args = { name: 'with-files', file: 'long.txt' };
    const first = await chat.call('skill', args);
    const length = sharedStart(bodyOf(first), longText);
    hold(length).toBeGreaterThan(1000);
    hold(length).toBeLessThanOrEqual(8000);
    const offset = Number(/offset\W{1,4}(\d+)/i.exec(first)?.[1]);
    const second = await chat.call('skill', { ...args, offset });
    hold(sharedStart(bodyOf(second), longText.slice(length))).toBeGreaterThan(1000);
  },
  async picture(chat, hold) {
    await chat.call('skill', { name: 'with-files', file: 'assets/dot.png' });
    const pictures = chat.texts.filter((text) => [picture, `data:image/png;base64,${picture}`].includes(text));
    hold(pictures).toHaveLength(1);
  },
  async execute(chat, hold) {
    const args = { skill_name: 'kubernetes', tool_name: 'get', parameters: { resource: 'pods' }, jq: '.total' };
    const text = await chat.call('skill-engine/execute', args);
    // The output is JSON, but not an object: Gemini CLI makes structured content of it where there is none.
    hold(text).toMatch(/^\d+$/m);
    hold(text).not.toContain('digest');
  },
  async progress(chat, hold) {
    const args = { skill_name: 'slow', tool_name: 'talk', parameters: {} };
    hold(await chat.call('skill-engine/execute', args)).toMatch(/one\W+n?two\W+n?three/);
  },
  async denial(chat, hold) {
    const args = { skill_name: 'needs-network', tool_name: 'fetch', parameters: {} };
    const text = await chat.call('skill-engine/execute', args);
    hold(text).toContain('denied');
    hold(text).toContain('repertoire grant needs-network');
  },
  async 'unknown name'(chat, hold) {
    hold(await chat.call('skill', { name: 'csv-profilr' })).toContain("Skill 'csv-profilr' not found.");
  },
  async 'new skill'(chat, hold, world, agent) {
    const description = 'Was written while the agent ran.';
    world.skill(`${served}/written-later`, { description });
    const load = () => chat.call('skill', { name: 'written-later' });
    hold(await load()).toMatch(/^Loading: written-later\n/m);
    if (!agent.relists) return;
    const isShown = (): boolean => chat.offered('skill')?.description?.includes(description) === true;
    // Few calls: agents stop a model that keeps making the same one.
    for (const seconds of [1, 2, 4, 8]) {
      if (isShown()) break;
      await setTimeout(seconds * 1000);
      await load();
    }
    hold(isShown()).toBe(true);
  },
  async 'clean exit'(chat, hold) {
    hold(await chat.end()).toBe(0);
    await expect.poll(() => chat.leftovers(), { timeout: timeoutMs, message: 'clean exit' }).toEqual([]);
  },
};

/** Plays the model in one conversation. What does not hold is reported, and the conversation goes on. */
export async function judgeConversation(chat: Conversation, world: World, agent: Agent): Promise<void> {
  for (const [name, check] of Object.entries(checks))
    await check(chat, (value) => expect.soft(value, name), world, agent);
}

/** What stands below the header of an answer. */
function bodyOf(text: string): string {
  return text.slice(text.indexOf('\n\n', text.indexOf('Reading: ')) + 2);
}

/** How many characters two texts have in common at their beginning. */
function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
