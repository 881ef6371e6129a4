/** Who is asking: a key from the link, one that was kept, or nobody yet. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Substrate } from '../../client/index.ts';
import { Toasts } from '../ui/toast.tsx';
import { forgetKey, keepKey, keptKey, takeKeyFromAddress } from './key.ts';
import { SignIn } from './sign-in.tsx';
import { Workspace } from './workspace.tsx';

type Access =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'granted'; readonly key: string | null }
  | { readonly kind: 'asked'; readonly reason: string | null };

const ASK_AGAIN_MS = 2000;

export function Page() {
  const [access, setAccess] = useState<Access>(firstAccess);
  useEffect(() => {
    const onLink = () => {
      const key = takeKeyFromAddress();
      if (key !== null) setAccess({ kind: 'granted', key });
    };
    addEventListener('hashchange', onLink);
    return () => removeEventListener('hashchange', onLink);
  }, []);
  // Without a key the daemon is asked whether it needs one.
  useEffect(() => {
    if (access.kind !== 'unknown') return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      try {
        const { auth_enabled } = await new Substrate({ baseUrl: location.origin }).health();
        setAccess(auth_enabled ? { kind: 'asked', reason: null } : { kind: 'granted', key: null });
      } catch {
        timer = setTimeout(ask, ASK_AGAIN_MS);
      }
    };
    void ask();
    return () => clearTimeout(timer);
  }, [access]);
  return (
    <>
      <Inside access={access} setAccess={setAccess} />
      <Toasts />
    </>
  );
}

function Inside({ access, setAccess }: { access: Access; setAccess: (access: Access) => void }) {
  const key = access.kind === 'granted' ? access.key : undefined;
  const substrate = useMemo(
    () => (key === undefined ? null : new Substrate({ baseUrl: location.origin, ...(key === null ? {} : { key }) })),
    [key],
  );
  if (substrate !== null) {
    const onRefused = (reason: string) => {
      forgetKey();
      setAccess({ kind: 'asked', reason });
    };
    return <Workspace key={key ?? ''} substrate={substrate} onRefused={onRefused} />;
  }
  if (access.kind !== 'asked') return <p class="shell-wait">Asking the daemon…</p>;
  const onKey = (given: string) => {
    keepKey(given);
    setAccess({ kind: 'granted', key: given });
  };
  return <SignIn reason={access.reason} onKey={onKey} />;
}

function firstAccess(): Access {
  const key = takeKeyFromAddress() ?? keptKey();
  return key === null ? { kind: 'unknown' } : { kind: 'granted', key };
}
