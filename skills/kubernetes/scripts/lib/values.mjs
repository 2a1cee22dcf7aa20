// A snapshot is somebody else's data: nothing in it has to be what it should be.

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
export const table = (value) => (isObject(value) ? value : {});
export const list = (value) => (Array.isArray(value) ? value : []);
export const tables = (value) => list(value).filter(isObject);
export const text = (value) => (typeof value === 'string' ? value : '');
export const number = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
export const own = (object, key) => (Object.hasOwn(table(object), key) ? object[key] : undefined);

/** One line, without what would move the cursor or forge a line of its own, cut to a sensible length. */
export function line(value, most = 300) {
  const flat = String(value ?? '').replace(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
  const characters = Array.from(flat.slice(0, most * 2));
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}

export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** The first few, and how many there are beyond. */
export function some(names, most = 5) {
  const rest = names.length - most;
  return names.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

const factors = {
  '': 1, n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18,
  Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60,
};

/** A Kubernetes quantity ("250m", "1Gi", "2") as a number; null for anything else. */
export function quantity(value) {
  const [, amount, suffix = ''] = /^([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)([A-Za-z]{0,2})$/.exec(String(value ?? '').slice(0, 40)) ?? [];
  return amount === undefined || !Object.hasOwn(factors, suffix) ? null : Number(amount) * factors[suffix];
}

/** A number of some resource, as people write it. */
export function amount(resource, value) {
  if (resource === 'cpu') return Math.abs(value) >= 10 ? `${Math.round(value)}` : `${Math.round(value * 1000)}m`;
  if (!/memory|storage/.test(resource)) return `${Math.round(value * 100) / 100}`;
  const units = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.abs(value) || 1) / 10)));
  return `${Math.round((value / 1024 ** step) * 10) / 10}${units[step]}`;
}

/** Milliseconds since 1970; null for what is no time. */
export function time(value) {
  const parsed = typeof value === 'string' && value.length < 40 ? Date.parse(value) : Number.NaN;
  return Number.isNaN(parsed) ? null : parsed;
}

/** How long, in the one or two units that matter. */
export function span(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes}m`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours}h` : `${Math.round(hours / 24)}d`;
}
