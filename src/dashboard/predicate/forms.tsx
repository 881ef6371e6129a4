/** A short overview of expressions, shown until there is an answer. */
const FORMS: readonly (readonly [example: string, what: string])[] = [
  ['cart.total >= 5 && user.loggedIn', 'Compare with === !== < <= > >=, join with && || !'],
  ['cart.items.length === 2', 'Lists and texts have a length'],
  ['cart.items.some(item => item.price > 3)', 'Lists also have every, filter, find, map, reduce, includes, at'],
  ['user.name.includes("Ada")', 'Texts also have startsWith, endsWith, toLowerCase, trim, split'],
  ['user.email === undefined', 'A key that is not there'],
  ['state["odd key"] > 0', 'A key with any name'],
  ['context.url.endsWith("/cart")', 'Where the app is: url, location, view, window_title'],
];

export function Forms() {
  return (
    <section class="predicate-forms" aria-label="What can be said">
      <h3>What can be said</h3>
      <dl>
        {FORMS.map(([example, what]) => (
          <div key={example} class="predicate-form">
            <dt>
              <code>{example}</code>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
