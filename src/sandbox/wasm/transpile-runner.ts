import { pathToFileURL } from 'node:url';
import { planOf, readExactly, report, takeOrder, wordsOf, writeAll } from './inside.ts';
import type { Order, TranspilePlan } from './protocol.ts';

// Turns a component into JavaScript. The add-on reads what strangers wrote, so it does this in the sandbox too.
interface Transpiler {
  readonly $init: Promise<void>;
  readonly generate: (
    bytes: Uint8Array,
    options: object,
  ) => { files: readonly (readonly [string, Uint8Array])[]; imports: readonly string[] };
}

const plan = planOf<TranspilePlan>();
try {
  const bytes = readExactly(plan.module, plan.digest);
  // The heart of the add-on alone: what it has around it brings native code, and makes nothing we need.
  const { $init, generate } = (await import(pathToFileURL(plan.transpiler).href)) as Transpiler;
  await $init;
  report({ kind: 'ready' });
  if (takeOrder<Order>() !== null) {
    const { files, imports } = generate(bytes, {
      name: 'component',
      // What it needs is handed to it, and not looked up by names that it chooses.
      instantiation: { tag: 'sync' },
      noTypescript: true,
      noNodejsCompat: false,
      base64Cutoff: 0,
    });
    hand(files, imports);
    report({ kind: 'exited', code: 0 });
  }
} catch (error) {
  report({ kind: 'unfit', message: wordsOf(error) });
}

/** One line that says what there is, and then the files in a row. */
function hand(files: readonly (readonly [string, Uint8Array])[], imports: readonly string[]): void {
  const list = files.map(([name, { length }]) => ({ name, length }));
  writeAll(1, Buffer.from(`${JSON.stringify({ files: list, imports })}\n`, 'utf8'));
  for (const [, bytes] of files) writeAll(1, bytes);
}
