/** The keys of an app that are drawn. They are in the address of the view, so that it can be shared and found again. */
import { storeOf, ViewStore } from '../view-store.ts';

/** The daemon's limit for a history request. */
export const MAX_PINS = 20;

export class Pins extends ViewStore {
  keys: readonly string[] = [];

  has(key: string): boolean {
    return this.keys.includes(key);
  }

  /** Returns false if there are too many. */
  toggle(key: string): boolean {
    if (!this.has(key) && this.keys.length >= MAX_PINS) return false;
    this.set(this.has(key) ? this.keys.filter((one) => one !== key) : [...this.keys, key]);
    return true;
  }

  set(keys: readonly string[]): void {
    this.keys = [...new Set(keys)].slice(0, MAX_PINS);
    this.changed();
  }
}

export const pinsOf = storeOf(() => new Pins());
