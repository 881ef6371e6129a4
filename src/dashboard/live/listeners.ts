/** The listeners of a model. */
export class Listeners<Message> {
  private readonly all = new Set<(message: Message) => void>();

  add(listener: (message: Message) => void): () => void {
    this.all.add(listener);
    return () => this.all.delete(listener);
  }

  notify(message: Message): void {
    for (const listener of [...this.all]) listener(message);
  }
}
