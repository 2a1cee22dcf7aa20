/** Two functions that some components ask for: their settings are what the run has in its environment. */
export function settingsFrom(env: Readonly<Record<string, string>>): Readonly<Record<string, object>> {
  return {
    'get-config': { default: (name: string) => env[name] },
    'get-all-config': { default: () => JSON.stringify(env) },
  };
}
