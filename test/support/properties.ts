import fc from 'fast-check';

/** Properties are tried with the same inputs on every machine; with others where `FAST_CHECK_SEED` is a number. */
fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 1) });
