/** Long work in short pieces, with a turn of the event loop after each: whoever asks meanwhile is answered. */
const SLICE_MS = 8;

/** Whoever works in slices takes turns: however many there are, others wait for one slice and not for one of each. */
let lastTurn: Promise<void> = Promise.resolve();
let waiting = 0;

/** What the steps end with. `goOn` is asked after each rest, and ends the work by throwing. */
export async function inSlices<Result>(steps: Iterator<void, Result>, goOn: () => void = () => {}): Promise<Result> {
  if (waiting > 0) await nextTurn(goOn);
  let began = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - began < SLICE_MS) continue;
    await nextTurn(goOn);
    began = performance.now();
  }
}

async function nextTurn(goOn: () => void): Promise<void> {
  waiting++;
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  await lastTurn;
  waiting--;
  goOn();
}
