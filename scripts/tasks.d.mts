export interface Task {
  readonly what: string;
  readonly command: readonly string[];
  readonly after?: readonly string[];
}
export function startTasks(
  tasks: readonly Task[],
  atOnce?: number,
): { readonly all: Promise<boolean>; after(names: readonly string[]): Promise<boolean> };
