import type { Bytes } from './bytes.ts';

/** All that compilers put into names: no quotes, backslashes, braces or line ends, with which a name would become code. */
const harmless = /^[\w .:;,/@#$%&*+=<>?!|~^()[\]-]*$/;

/**
 * Names inside core modules can be anything, and the transpiler puts them into what it generates as they are. Those of components
 * have a form that it checks.
 */
export function checkCoreName(name: string): void {
  const isSpecial = name === '__proto__';
  if (isSpecial || !harmless.test(name))
    throw new Error(`it has a name that could become code: ${JSON.stringify(name)}`);
}

export function checkCoreModule(bytes: Uint8Array): void {
  const module = new WebAssembly.Module(bytes);
  for (const { name, module: from } of WebAssembly.Module.imports(module))
    for (const one of [from, name]) checkCoreName(one);
  for (const { name } of WebAssembly.Module.exports(module)) checkCoreName(name);
}

/** Made from a module, which is given instances by name; or put together from what there is. */
export function readCoreInstance(bytes: Bytes): void {
  const isMade = bytes.byte() === 0;
  if (isMade) bytes.u32();
  bytes.list(() => {
    checkCoreName(bytes.text());
    bytes.byte();
    return bytes.u32();
  });
}
