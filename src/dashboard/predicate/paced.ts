/** Runs work on request, but never twice at once and at most once per interval. The last request is never lost. */
export class Paced {
  private readonly work: () => Promise<void>;
  private readonly intervalMs: number;
  private isWanted = false;
  private isBusy = false;
  private isStopped = false;

  constructor(work: () => Promise<void>, intervalMs: number) {
    this.work = work;
    this.intervalMs = intervalMs;
  }

  ask(): void {
    this.isWanted = true;
    if (!this.isBusy) void this.run();
  }

  stop(): void {
    this.isStopped = true;
  }

  private async run(): Promise<void> {
    this.isBusy = true;
    while (this.isWanted && !this.isStopped) {
      this.isWanted = false;
      const pause = new Promise((resolve) => setTimeout(resolve, this.intervalMs));
      await this.work();
      await pause;
    }
    this.isBusy = false;
  }
}
