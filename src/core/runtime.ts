/** The name of the runtime, where it is not Node: some of what tools are run with does not work there. */
export function otherRuntime(): string | null {
  const { bun } = process.versions;
  if (bun !== undefined) return `Bun ${bun}`;
  const { Deno: deno } = globalThis as { Deno?: { version?: { deno?: string } } };
  return deno === undefined ? null : `Deno ${deno.version?.deno ?? ''}`.trim();
}
