import { kernel } from './kernel.ts';

/** The part of WebAssembly that is used here; the types of Node know nothing of it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}

/** The exports of kernel.wat, and the memory it works on. */
export interface Kernel {
  readonly buffer: ArrayBuffer;
  readonly scan: (query: number, results: number, rows: number, dimensions: number) => void;
  readonly nearest: (
    list: number,
    count: number,
    asked: number,
    width: number,
    inverses: number,
    slots: number,
    products: number,
    best: number,
    used: number,
    dimensions: number,
  ) => number;
  readonly add: (list: number, count: number, sums: number, bytes: number) => void;
}

const pageBytes = 65_536;

let compiled: object | undefined;

/**
 * Starts the kernel with a memory of at least `bytes`. An engine may have no WebAssembly, not these instructions, be
 * forbidden to compile, or have no memory left: whichever it is, the answer is that there is none.
 */
export function startKernel(bytes: number): Kernel | undefined {
  const api = (globalThis as { readonly WebAssembly?: WebAssemblyApi }).WebAssembly;
  if (api === undefined) return undefined;
  try {
    compiled ??= new api.Module(Buffer.from(kernel, 'base64'));
    const pages = Math.ceil(bytes / pageBytes);
    const memory = new api.Memory({ initial: pages, maximum: pages });
    const { exports } = new api.Instance(compiled, { host: { memory } });
    return { buffer: memory.buffer, ...(exports as Pick<Kernel, 'scan' | 'nearest' | 'add'>) };
  } catch {
    return undefined;
  }
}
