/**
 * What anyone would write first to compare a query with vectors: two loops over numbers, all of them, nothing else.
 * Tells how long each time took, and what Node held in memory before.
 */
const rss = process.memoryUsage.rss();
const [count, times, dimensions] = [Number(process.argv[2]), Number(process.argv[3]), 128];
const vectors = Float32Array.from({ length: count * dimensions }, (_, at) => Math.sin(at));
const [query, results] = [vectors.slice(0, dimensions), new Float32Array(count)];
const waits = [];

while (waits.length < times) {
  const start = performance.now();
  for (let row = 0; row < count; row++) {
    let sum = 0;
    for (let at = 0; at < dimensions; at++) sum += query[at] * vectors[row * dimensions + at];
    results[row] = sum;
  }
  waits.push(performance.now() - start);
}

process.stdout.write(JSON.stringify({ waits, rss, last: results[count - 1] }));
