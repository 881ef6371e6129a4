/** Names for keys and actions, each given once: for desktop windows, pages, and roots. */

/** The last name of a component, without a number and with it. */
interface GivenName {
  readonly wanted: string;
  readonly given: string;
}

/** The names that components had before, so that a new component takes no name away. */
export type NameMemory = Map<number, GivenName>;

/** Gives each name once: the second of two equal names gets `_2`. */
export class NameAllocator {
  private readonly taken = new Set<string>();
  /** The next number to try, since thousands may be equal. */
  private readonly numbers = new Map<string, number>();

  isTaken(name: string): boolean {
    return this.taken.has(name);
  }

  /** Reserves a name. */
  block(name: string): void {
    this.taken.add(name);
  }

  take(wanted: string): string {
    let name = wanted;
    let number = this.numbers.get(wanted) ?? 2;
    while (this.taken.has(name)) name = `${wanted}_${number++}`;
    this.numbers.set(wanted, number);
    this.taken.add(name);
    return name;
  }

  /** The same name as before, if it is free. */
  takeFor(id: number, wanted: string, memory: NameMemory): string {
    const before = memory.get(id);
    if (before?.wanted === wanted && !this.taken.has(before.given)) {
      this.taken.add(before.given);
      return before.given;
    }
    const given = this.take(wanted);
    memory.set(id, { wanted, given });
    return given;
  }
}
