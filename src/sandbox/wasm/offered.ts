import { WASIShim } from '@bytecodealliance/preview2-shim/instantiation';
import { settingsFrom } from './settings.ts';

/** The names of all that components may import, without versions. */
export function offeredInterfaces(): readonly string[] {
  return [...Object.keys(new WASIShim().getImportObject()), ...Object.keys(settingsFrom({}))];
}
