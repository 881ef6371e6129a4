/** Long work in short pieces, with a turn of the event loop after each: whoever asks meanwhile is answered. */
const SLICE_MS = 8;

/** What the steps end with. `goOn` is asked after each rest, and ends the work by throwing. */
export async function inSlices<Result>(steps: Iterator<void, Result>, goOn: () => void = () => {}): Promise<Result> {
  let began = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - began < SLICE_MS) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    goOn();
    began = performance.now();
  }
}
