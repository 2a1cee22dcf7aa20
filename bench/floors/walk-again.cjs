/** Walks the same folders several times in one process, as a server looks at them again and again. */
const { walk } = require('./walk.cjs');

const [times, ...folders] = process.argv.slice(2);
const rounds = [];

while (rounds.length < Number(times)) {
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  let entries = 0;
  for (const folder of folders) entries += walk(folder);
  const { user, system } = process.cpuUsage(before);
  rounds.push({ entries, wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 });
}
process.stdout.write(JSON.stringify(rounds));
