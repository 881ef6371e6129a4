/** Sources and packages of the pages. */
export const PAGES: string;
/** Where the built ones are. */
export const BUILT: string;
export function pageNames(): string[];
export function buildPages(names?: string[]): Promise<void>;
