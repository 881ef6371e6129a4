// The app asks its server for extensions; there are none.
export const interfaces = [];
export const displays = [];
export const layouts = [];
export const modules = [];
export const panels = [];
export const operations = [];
export const themes = [];
