/** Runs long work in short pieces, so that the page stays responsive. */
const SLICE_MS = 12;
/** The clock is read once in this many steps. */
const STEPS_PER_LOOK = 64;

/** Calls `each` for every item. Stops and returns false when the signal is aborted. */
export async function inSlices<Item>(
  items: Iterable<Item>,
  each: (item: Item) => void,
  signal: AbortSignal,
  onSlice: () => void = () => {},
): Promise<boolean> {
  let until = performance.now() + SLICE_MS;
  let steps = 0;
  for (const item of items) {
    each(item);
    if (++steps % STEPS_PER_LOOK !== 0 || performance.now() < until) continue;
    onSlice();
    await nextTask();
    if (signal.aborted) return false;
    until = performance.now() + SLICE_MS;
  }
  return !signal.aborted;
}

/** Sooner than a timer, which browsers delay by 4 ms. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
