/** The hosts of the fleet: asked for once, and again and again while somebody looks at their list. */
import { useEffect, useState } from 'preact/hooks';
import type { HostsResponse, Substrate } from '../../client/index.ts';

const POLL_MS = 5000;

/** Null: they are not known yet, or this page's key may not know of them. */
export function useHosts(substrate: Substrate, isShown: boolean): HostsResponse | null {
  const [hosts, setHosts] = useState<HostsResponse | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      try {
        if (!document.hidden) setHosts(await substrate.hosts({ signal: stop.signal }));
      } catch {
        // The page says already that the daemon does not answer; what was listed before stays.
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
