import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import wabt from 'wabt';

let ready: ReturnType<typeof wabt> | null = null;

/** The binary of a module from its text. */
export async function assemble(text: string): Promise<Uint8Array> {
  ready ??= wabt();
  const module = (await ready).parseWat('guest.wat', text, { reference_types: true, bulk_memory: true });
  try {
    return Uint8Array.from(module.toBinary({}).buffer);
  } finally {
    module.destroy();
  }
}

/** The same of a component. */
export function assembleComponent(text: string): Promise<Uint8Array> {
  return parse(text);
}
