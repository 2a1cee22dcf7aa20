export function nodeOfVersion(version: string): string;
