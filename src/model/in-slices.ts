/**
 * Runs long work in short slices, with a turn of the event loop after each, so that other requests are answered
 * meanwhile. Each work has an owner, mostly the key that asked for it, and owners take turns: however much one of them
 * asks for, another waits for one slice of each, not for all of the work.
 */
const SLICE_MS = 4;

export interface SliceOptions {
  /** Ends the work by throwing; called after each pause. */
  readonly goOn?: () => void;
  /** The owner of the work; by default the daemon itself. */
  readonly owner?: string;
  /** Called before each pause of work that has begun, because others may change its data during the pause. */
  readonly beforeRest?: () => void;
}

interface Owner {
  /** Time that this owner has used in the current turn of the event loop. */
  usedMs: number;
  /** Starts the next slice of each waiting work. */
  readonly waiting: (() => void)[];
}

/** Captured at the start: a turn scheduled on a fake clock that is removed later would never come. */
const { setImmediate, setTimeout } = globalThis;

/** The daemon's own work, done for everybody. */
const NOBODY = '';

/** Owners that worked in this turn or wait; the owner of the last slice is at the end. */
const owners = new Map<string, Owner>();
let isTurnComing = false;

/** Returns the result of the steps. Work that needs only one slice is done at once, unless its owner has had one. */
export async function inSlices<Result>(
  steps: Iterator<void, Result>,
  { goOn = () => {}, owner: name = NOBODY, beforeRest = () => {} }: SliceOptions = {},
): Promise<Result> {
  let hasBegun = false;
  for (;;) {
    const owner = ownerCalled(name);
    if (hasBegun || owner.waiting.length > 0 || owner.usedMs >= SLICE_MS) {
      if (hasBegun) beforeRest();
      await nextSlice(owner);
      goOn();
    }
    hasBegun = true;
    const step = oneSlice(steps, owner);
    if (step.done) return step.value;
  }
}

function oneSlice<Result>(steps: Iterator<void, Result>, owner: Owner): IteratorResult<void, Result> {
  const began = performance.now();
  const room = SLICE_MS - owner.usedMs;
  try {
    for (;;) {
      const step = steps.next();
      if (step.done || performance.now() - began >= room) return step;
    }
  } finally {
    owner.usedMs += performance.now() - began;
  }
}

function ownerCalled(name: string): Owner {
  const known = owners.get(name);
  if (known !== undefined) return known;
  const owner = { usedMs: 0, waiting: [] };
  owners.set(name, owner);
  comeTurn();
  return owner;
}

function nextSlice({ waiting }: Owner): Promise<void> {
  comeTurn();
  return new Promise((resolve) => waiting.push(resolve));
}

function comeTurn(): void {
  if (isTurnComing) return;
  isTurnComing = true;
  setImmediate(turn);
}

/** Runs one slice of one owner; the other owners follow in later turns. */
function turn(): void {
  let next: { readonly begin: () => void; readonly name: string; readonly owner: Owner } | null = null;
  for (const [name, owner] of [...owners]) {
    owner.usedMs = 0;
    const begin: (() => void) | undefined = next === null ? owner.waiting.shift() : undefined;
    if (begin !== undefined) {
      next = { begin, name, owner };
      owners.delete(name);
      owners.set(name, owner);
    } else if (owner.waiting.length === 0) owners.delete(name);
  }
  if (next === null) {
    isTurnComing = false;
    return;
  }
  const { begin, name, owner } = next;
  begin();
  setImmediate(() => {
    // The event loop accepts one connection per turn, so slices in every turn would keep new connections out: the work
    // of keys takes at most half of the time.
    if (name === NOBODY || owner.usedMs < 1) turn();
    else setTimeout(turn, owner.usedMs);
  });
}
