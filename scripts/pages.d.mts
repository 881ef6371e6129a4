/** Sources and packages of the pages. */
export const PAGES: string;
/** The folder of the built pages. */
export const BUILT: string;
export function pageNames(): string[];
export function buildPages(names?: string[]): Promise<void>;
