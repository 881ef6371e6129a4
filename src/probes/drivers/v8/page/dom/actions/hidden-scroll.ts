/** A hidden page draws nothing and so ignores the wheel: it is scrolled from here. */

/** Scrolls the element under the point, as the wheel would. */
export function scrollAt(x: number, y: number, deltaY: number): void {
  for (let at = document.elementFromPoint(x, y); at; at = at.parentElement) {
    const before = at.scrollTop;
    if (at.scrollHeight <= at.clientHeight) continue;
    at.scrollBy({ top: deltaY, behavior: 'instant' });
    if (at.scrollTop !== before) return;
  }
  window.scrollBy({ top: deltaY, behavior: 'instant' });
}
