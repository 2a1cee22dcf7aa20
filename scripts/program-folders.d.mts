export const programFolders: readonly string[];
export const programPath: string;
