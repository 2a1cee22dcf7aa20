/** A growing list of whole numbers, side by side in memory. */
export interface Numbers {
  readonly length: number;
  /** The numbers, in an array that is replaced as the list grows: to be read again after a push. */
  readonly values: Int32Array;
  push(value: number): void;
}

export function createNumbers(): Numbers {
  let values = new Int32Array(1 << 10);
  let length = 0;
  return {
    get length() {
      return length;
    },
    get values() {
      return values;
    },
    push(value) {
      if (length === values.length) values = withRoom(values, new Int32Array(length * 2));
      values[length++] = value;
    },
  };
}

/** Copies numbers into a larger array. */
export function withRoom<T extends Float64Array | Int32Array | Uint16Array | Uint8Array>(numbers: T, larger: T): T {
  larger.set(numbers);
  return larger;
}
