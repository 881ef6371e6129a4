/** What was asked for did not come about; the text says how. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}
