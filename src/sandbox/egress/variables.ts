/** What tells programs to go through the proxy, in both ways of writing it. */
export function proxyVariables(port: number): Readonly<Record<string, string>> {
  const url = `http://127.0.0.1:${port}`;
  const variables = { http_proxy: url, https_proxy: url, all_proxy: url, no_proxy: '' };
  const upper = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name.toUpperCase(), value]));
  return { ...variables, ...upper };
}
