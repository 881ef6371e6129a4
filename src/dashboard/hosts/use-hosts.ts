/** Reads the hosts of the fleet once, and repeatedly while their list is shown. */
import { useEffect, useState } from 'preact/hooks';
import type { HostsResponse, Substrate } from '../../client/index.ts';

const POLL_MS = 5000;

/** Null until the first answer, or if this page's key may not list hosts. */
export function useHosts(substrate: Substrate, isShown: boolean): HostsResponse | null {
  const [hosts, setHosts] = useState<HostsResponse | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      try {
        if (!document.hidden) setHosts(await substrate.hosts({ signal: stop.signal }));
      } catch {
        // The page already shows that the daemon does not answer, so the last list stays.
      }
      if (isShown && !stop.signal.aborted) timer = setTimeout(() => void ask(), POLL_MS);
    };
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [substrate, isShown]);
  return hosts;
}
