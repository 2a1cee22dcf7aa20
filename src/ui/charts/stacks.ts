/** A piece of a column: where it begins below the top of the chart, and how tall it is. */
export interface Piece {
  readonly y: number;
  readonly height: number;
}

/** Whatever is there is at least so tall, so that one denial among thousands of runs is seen. */
const least = 2;

/** Values on top of each other, the first at the bottom, in a chart of this height that reaches up to `top`. */
export function stackOf(values: readonly number[], top: number, height: number): readonly Piece[] {
  const tall = heightsOf(values, top, height);
  let y = height;
  return tall.map((one) => {
    y -= one;
    return { y, height: one };
  });
}

function heightsOf(values: readonly number[], top: number, height: number): readonly number[] {
  const tall = values.map((value) => (value > 0 && top > 0 ? Math.max(least, (value / top) * height) : 0));
  const over = sumOf(tall) - height;
  if (over <= 0) return tall;
  // The tallest gives what the smallest were given, so that nothing stands out of the chart.
  const tallest = tall.indexOf(Math.max(...tall));
  return tall.map((one, place) => (place === tallest ? Math.max(0, one - over) : one));
}

/** A column of a chart of so many, from its left edge, in percent of the chart's width. */
export function columnOf(place: number, count: number): { readonly x: number; readonly width: number } {
  const room = 100 / Math.max(1, count);
  // One or two columns would be blocks rather than bars.
  const width = Math.min(room * 0.8, 12);
  return { x: place * room + (room - width) / 2, width };
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
