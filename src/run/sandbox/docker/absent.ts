/**
 * Stands in for packages that the engine's library loads for features never used here: engines behind SSH, and building
 * images. Some are compiled for one machine and cannot be bundled at all.
 */
export {};
