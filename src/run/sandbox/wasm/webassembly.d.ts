// The part of the engine's own interface that is used here: neither the language's types nor Node's describe it.
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>;

  class Module {
    constructor(bytes: Uint8Array);
    static exports(module: Module): { name: string; kind: string }[];
    static imports(module: Module): { module: string; name: string; kind: string }[];
  }

  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Record<string, unknown>;
  }

  class Memory {
    readonly buffer: ArrayBuffer;
    grow: (this: Memory, pages: number) => number;
  }
}
