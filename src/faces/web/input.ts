/** Input by name: texts from an address, or values from a body. */
export type Given = Readonly<Record<string, unknown>>;

export function givenInQuery(query: URLSearchParams): Given {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
