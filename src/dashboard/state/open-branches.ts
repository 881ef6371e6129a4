/** Which branches are open: all but some, or none but some. Opening all of 30,000 costs no more than opening one. */
export class Openness {
  private isUsual: boolean;
  private readonly others = new Set<string>();

  constructor(isUsual: boolean) {
    this.isUsual = isUsual;
  }

  has(path: string): boolean {
    return this.isUsual !== this.others.has(path);
  }

  set(path: string, isOpen: boolean): void {
    if (isOpen === this.isUsual) this.others.delete(path);
    else this.others.add(path);
  }

  setAll(isOpen: boolean): void {
    this.isUsual = isOpen;
    this.others.clear();
  }

  /** Nobody has opened or closed anything yet. */
  get isUntouched(): boolean {
    return !this.isUsual && this.others.size === 0;
  }
}
