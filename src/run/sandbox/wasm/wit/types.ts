export const integers = {
  s8: [-0x80, 0x7f],
  u8: [0, 0xff],
  s16: [-0x8000, 0x7fff],
  u16: [0, 0xffff],
  s32: [-0x8000_0000, 0x7fff_ffff],
  u32: [0, 0xffff_ffff],
} as const;

/** Integer types that a JSON number does not hold exactly. */
export const longIntegers = {
  s64: [-(2n ** 63n), 2n ** 63n - 1n],
  u64: [0n, 2n ** 64n - 1n],
} as const;

type Scalar = 'bool' | 'f32' | 'f64' | 'char' | 'string' | keyof typeof integers | keyof typeof longIntegers;

/** The parts of each kind of type that has any. */
interface Parts {
  readonly list: { readonly of: WitType };
  readonly option: { readonly of: WitType };
  readonly tuple: { readonly of: readonly WitType[] };
  readonly record: { readonly fields: readonly Field[] };
  readonly variant: { readonly cases: readonly (readonly [name: string, payload: WitType | null])[] };
  readonly enum: { readonly names: readonly string[] };
  readonly flags: { readonly names: readonly string[] };
  readonly result: { readonly ok: WitType | null; readonly err: WitType | null };
  /** A type that has no form in JSON, or cannot be run yet. */
  readonly unsupported: { readonly what: string };
}

/** A type of WIT. Parts may be shared: written out, a small component can hold types of any size. */
export type WitType =
  | { readonly [K in Scalar]: { readonly kind: K } }[Scalar]
  | { readonly [K in keyof Parts]: { readonly kind: K } & Parts[K] }[keyof Parts];

export type TypeOf<K extends WitType['kind']> = Extract<WitType, { readonly kind: K }>;

export type Field = readonly [name: string, type: WitType];

export interface WitFunction {
  readonly name: string;
  /** The interface that exports it; null if it is exported by itself. */
  readonly interface: string | null;
  readonly parameters: readonly Field[];
  readonly result: WitType | null;
}

const parts: { readonly [K in keyof Parts]: (type: TypeOf<K>) => readonly (WitType | null)[] } = {
  list: ({ of }) => [of],
  option: ({ of }) => [of],
  tuple: ({ of }) => of,
  record: ({ fields }) => fields.map(([, type]) => type),
  variant: ({ cases }) => cases.map(([, payload]) => payload),
  enum: () => [],
  flags: () => [],
  result: ({ ok, err }) => [ok, err],
  unsupported: () => [],
};

/** The types that a type is made of. */
export function partsOf(type: WitType): readonly WitType[] {
  const of = (parts as Partial<Record<string, (type: WitType) => readonly (WitType | null)[]>>)[type.kind];
  return (of?.(type) ?? []).filter((part) => part !== null);
}
