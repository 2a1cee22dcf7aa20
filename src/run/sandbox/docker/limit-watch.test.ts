import type { Container } from 'dockerode';
import { describe, expect, it, vi } from 'vitest';
import { meterFor } from './limit-watch.ts';

/** A container for which the engine reports these memory figures. */
function containerWith(memory: object): { container: Container; stats: ReturnType<typeof vi.fn> } {
  const stats = vi.fn(async () => ({ cpu_stats: { cpu_usage: { total_usage: 2.5e9 } }, memory_stats: memory }));
  return { container: { stats } as unknown as Container, stats };
}

describe('the meter of a container', () => {
  it.each([
    ['the newer kind', { usage: 900, stats: { inactive_file: 200 } }, 700],
    ['the older kind', { usage: 900, stats: { total_inactive_file: 300 } }, 600],
    ['an engine that tells little', { usage: 900 }, 900],
    ['an engine that tells nothing', {}, null],
  ])('reports memory without the page cache: %s', async (_name, memory, bytes) => {
    const { container } = containerWith(memory);
    const meter = meterFor({}, 10);
    expect(meter.memoryBytes()).toBeNull();
    meter.start(container);
    meter.memoryBytes();
    await expect.poll(() => meter.seconds()).toBe(2.5);
    expect(meter.memoryBytes()).toBe(bytes);
  });

  it('does not ask the engine before that much time can have been used, unless usage is listened to', async () => {
    const { container, stats } = containerWith({ usage: 1 });
    const meter = meterFor({}, 10);
    meter.start(container);
    expect(meter.seconds()).toBeNull();
    expect(stats).not.toHaveBeenCalled();
    meter.memoryBytes();
    meter.memoryBytes();
    expect(stats).toHaveBeenCalledOnce();
  });
});
