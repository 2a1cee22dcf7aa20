import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeCatalogue } from './catalogue.mjs';

/** @typedef {import('./catalogue.mjs').Catalogue} Catalogue */

/** Times of files younger than this may still be doubted by a cache, on disks that count whole seconds. */
const settleMs = 2100;

/** A folder of our own, with everything a measured process may see or write. Nothing of the user's is in reach. */
export class Sandbox {
  #folder = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-bench-')));
  /** @type {Map<number, Catalogue>} */
  #catalogues = new Map();

  /** @param {string} name */
  path(name) {
    return join(this.#folder, name);
  }

  /**
   * A catalogue of that many skills; written when first asked for, since not every figure needs every size.
   *
   * @param {number} count
   * @returns {Promise<Catalogue>}
   */
  async catalogue(count) {
    let catalogue = this.#catalogues.get(count);
    if (catalogue === undefined) {
      catalogue = writeCatalogue(this.path(`catalogue-${count}`), count);
      this.#catalogues.set(count, catalogue);
      if (count > 0) await sleep(settleMs);
    }
    return catalogue;
  }

  /** Forgets what was scanned, so that the next scan is a cold one. */
  clearCache() {
    rmSync(this.path('cache'), { recursive: true, force: true });
    mkdirSync(this.path('cache'));
  }

  /** All that a measured process inherits. @param {string} home */
  environment(home) {
    return { PATH: process.env['PATH'] ?? '', HOME: home, XDG_CACHE_HOME: this.path('cache') };
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
