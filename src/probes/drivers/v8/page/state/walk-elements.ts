const MAX_ELEMENTS = 30_000;
const ELEMENTS_PER_CUT = 32;
/** In a long list of similar elements, later ones have no other marks than the first. */
const MAX_ALIKE = 100;

/** Elements of the document and of open shadow roots; null from time to time, where the walk can be interrupted. */
export function* walkElements(): Generator<Element | null, void, void> {
  const pending: { at: Element; alike: number }[] = [];
  const push = (at: Element | null, alike: number): void => {
    if (at && alike < MAX_ALIKE) pending.push({ at, alike });
  };
  push(document.documentElement, 0);
  for (let count = 1; pending.length > 0 && count < MAX_ELEMENTS; count++) {
    const { at, alike } = pending.pop() as { at: Element; alike: number };
    yield at;
    if (count % ELEMENTS_PER_CUT === 0) yield null;
    const next = at.nextElementSibling;
    if (next) push(next, next.localName === at.localName ? alike + 1 : 0);
    push(at.firstElementChild, 0);
    if (at.localName.includes('-') && at.shadowRoot) push(at.shadowRoot.firstElementChild, 0);
  }
}
