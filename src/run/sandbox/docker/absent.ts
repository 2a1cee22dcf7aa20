/**
 * Put in place of the packages that the engine's library loads for what is never asked of it here: engines behind SSH,
 * and the building of images. Some of them are compiled for one machine and cannot be part of a bundle at all.
 */
export {};
