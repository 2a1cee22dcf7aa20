import { $init, generate } from '@bytecodealliance/jco-transpile/component';
import { WASIShim } from '@bytecodealliance/preview2-shim/instantiation';
import type { Order, TranspilePlan } from '../protocol.ts';
import { outlineOf } from '../wit/decode.ts';
import { describeWorld } from '../wit/world.ts';
import { planOf, readExactly, report, settingsFrom, takeOrder, wordsOf, writeAll } from './inside.ts';

// Turns a component into JavaScript, and describes the parameters and results of its functions. It reads what third
// parties wrote, so it does this in the sandbox.
const plan = planOf<TranspilePlan>();
try {
  const bytes = readExactly(plan.module, plan.digest);
  report({ kind: 'ready' });
  if (takeOrder<Order>() !== null) {
    const described = describeWorld(outlineOf(bytes), new Set(offeredInterfaces()));
    await $init;
    const { files, imports } = generate(bytes, {
      name: 'component',
      // Imports are passed to the component, and not looked up by names that it chooses.
      instantiation: { tag: 'sync' },
      noTypescript: true,
      noNodejsCompat: false,
      base64Cutoff: 0,
    });
    hand(files, { imports, ...described });
    report({ kind: 'exited', code: 0 });
  }
} catch (error) {
  report({ kind: 'unfit', message: wordsOf(error) });
}

/** Writes one line with the list of files, and then their bytes in a row. */
function hand(files: readonly (readonly [string, Uint8Array])[], said: object): void {
  const list = files.map(([name, { length }]) => ({ name, length }));
  writeAll(1, Buffer.from(`${JSON.stringify({ ...said, files: list })}\n`, 'utf8'));
  for (const [, bytes] of files) writeAll(1, bytes);
}

/** The names of everything that components may import, without versions. */
function offeredInterfaces(): readonly string[] {
  return [...Object.keys(new WASIShim().getImportObject()), ...Object.keys(settingsFrom({}))];
}
