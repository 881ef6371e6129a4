/**
 * Lets many callers share one piece of work. `join` accepts a run that is under way; `fresh` needs one that begins
 * after the call, and shares it with all callers that ask meanwhile. So at most one runs and one waits.
 */
export class SingleFlight<Result> {
  private readonly work: () => Promise<Result>;
  private running: Promise<Result> | null = null;
  private next: Promise<Result> | null = null;

  constructor(work: () => Promise<Result>) {
    this.work = work;
  }

  join(): Promise<Result> {
    return this.next ?? this.running ?? this.start();
  }

  fresh(): Promise<Result> {
    if (this.next) return this.next;
    if (!this.running) return this.start();
    // Callers of that run get its error; the next begins in any case.
    const ready = this.running.catch(() => undefined);
    this.next = ready.then(() => {
      this.next = null;
      return this.start();
    });
    return this.next;
  }

  private start(): Promise<Result> {
    // Work that throws before it returns a promise fails like any other.
    const run = new Promise<Result>((resolve) => resolve(this.work())).finally(() => {
      if (this.running === run) this.running = null;
    });
    this.running = run;
    return run;
  }
}
