/** Filled by scripts/agent-plugin.mjs: the bundled text of the file before `?agent`. */
declare module '*?agent' {
  const source: string;
  export default source;
}
