/** The open branches: all but some, or none but some. Opening all of 30,000 costs no more than opening one. */
export class OpenBranches {
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

  /** True until a branch is opened or closed. */
  get isUntouched(): boolean {
    return !this.isUsual && this.others.size === 0;
  }
}
