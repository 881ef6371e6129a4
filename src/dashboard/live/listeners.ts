/** Who wants to know, and how they are told. */
export class Listeners<News> {
  private readonly all = new Set<(news: News) => void>();

  add(listener: (news: News) => void): () => void {
    this.all.add(listener);
    return () => this.all.delete(listener);
  }

  tell(news: News): void {
    for (const listener of [...this.all]) listener(news);
  }
}
