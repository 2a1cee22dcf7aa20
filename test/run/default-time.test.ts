import { describe, expect, it } from 'vitest';
import { Workshop } from './workshop.ts';

describe('the time that a run has', () => {
  it('is thirty seconds, unless the tool says that it takes longer: then it may go on, and what it writes is seen [C4-LIMIT-01 S4-TIME-01 S4-TIME-03]', async () => {
    const shop = new Workshop();
    shop.skill(
      `[tools.plain]
command = ["sleep", "50"]
[tools.streaming]
script = "scripts/stream.sh"
timeout = "60s"
`,
      { 'scripts/stream.sh': 'echo began; sleep 31; echo "still here"\n' },
    );
    await shop.grant();
    const streaming = shop.start(['run', 'demo:streaming']);
    const [plain] = await Promise.all([shop.result(['demo:plain']), streaming.until('began')]);
    expect(plain).toMatchObject({ reason: 'timeout', message: 'it took longer than the limit of 30 s' });
    expect(plain.durationMs).toBeGreaterThanOrEqual(30_000);
    expect(await streaming.ended).toMatchObject({ code: 0, stdout: 'began\nstill here\n' });
  });
});
