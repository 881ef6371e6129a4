/**
 * Long work in short pieces, with a turn of the event loop after each: whoever asks meanwhile is answered. The work belongs
 * to somebody, mostly the key that asked for it, and those who have some take turns: however much one of them asks for,
 * another one waits for a slice of each, and not for all of it.
 */
const SLICE_MS = 4;

export interface SliceOptions {
  /** Ends the work by throwing; asked after each rest. */
  readonly goOn?: () => void;
  /** Whose work it is; by default the daemon's own. */
  readonly owner?: string;
  /** Called before each rest of work that has begun: what it reads may be changed by others then. */
  readonly beforeRest?: () => void;
}

interface Owner {
  /** What this owner has used of the present turn of the event loop. */
  usedMs: number;
  /** Begins the next slice of each work that waits. */
  readonly waiting: (() => void)[];
}

/** Those of the start: a turn that was promised on a clock which is taken away again would never come. */
const { setImmediate, setTimeout } = globalThis;

/** The daemon's own work, which it does for everybody. */
const NOBODY = '';

/** Those that have worked in this turn, or wait; whoever had the last slice is at the end. */
const owners = new Map<string, Owner>();
let isTurnComing = false;

/** What the steps end with. Work that needs no more than a slice is done at once, unless its owner has had one. */
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

/** One slice of one owner: the others have theirs in the turns that follow. */
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
    // The event loop accepts one connection in each of its turns, so that slices in all of them would keep newcomers out:
    // what keys ask for takes half of the time at most.
    if (name === NOBODY || owner.usedMs < 1) turn();
    else setTimeout(turn, owner.usedMs);
  });
}
