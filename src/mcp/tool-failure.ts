/** A request that did not succeed; the text gives the reason. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}
