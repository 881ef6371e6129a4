/** The paths of a label. A label with `[*]` names every element, so it also names a single one. */
import { pathPattern } from '../model/path.ts';

export class LabelOwners {
  private readonly byLabel = new Map<string, Set<string>>();
  private readonly byPattern = new Map<string, Set<string>>();

  of(label: string): string[] {
    const pattern = pathPattern(label);
    if (label === pattern) return [...(this.byPattern.get(pattern) ?? [])];
    return [...(this.byLabel.get(label) ?? []), ...(this.byLabel.get(pattern) ?? [])];
  }

  add(label: string, path: string): void {
    setOf(this.byLabel, label).add(path);
    setOf(this.byPattern, pathPattern(label)).add(path);
  }

  delete(label: string, path: string): void {
    this.byLabel.get(label)?.delete(path);
    this.byPattern.get(pathPattern(label))?.delete(path);
  }
}

function setOf(sets: Map<string, Set<string>>, name: string): Set<string> {
  const found = sets.get(name) ?? new Set();
  sets.set(name, found);
  return found;
}
