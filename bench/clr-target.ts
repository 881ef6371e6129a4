/** The program of test/targets/csharp/tight. */
import { type Clr, startDotnet } from '../test/support/dotnet.ts';
import { until } from '../test/support/real-processes.ts';
import { startTightTarget, type TightTarget } from './shared/tight-target.ts';

export function startTight(clr: Clr, leaves: number, heapMb: number): Promise<TightTarget> {
  return startTightTarget(
    (file) => startDotnet(clr, 'tight', { args: [String(leaves), String(heapMb), file] }),
    async (target, saidBytes) => {
      const before = saidBytes();
      target.write('g');
      // No two collections leave exactly the same.
      return (await until('the collection', () => saidBytes() !== before && saidBytes())) / 1024 / 1024;
    },
  );
}
