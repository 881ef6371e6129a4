/** The access of the page: a key for the code of the link, a kept key, or none yet. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Substrate } from '../../client/index.ts';
import { Toasts } from '../ui/toast.tsx';
import { type Exchange, exchangeCode, exchangeKey, forgetKey, keptKey, takeCodeFromAddress } from './key.ts';
import { SignIn } from './sign-in.tsx';
import { Workspace } from './workspace.tsx';

type Access =
  /** `code`: from the link, to be exchanged for a key. */
  | { readonly kind: 'unknown'; readonly code: string | null }
  | { readonly kind: 'granted'; readonly key: string | null }
  | { readonly kind: 'asked'; readonly reason: string | null };

const ASK_AGAIN_MS = 2000;

export function Page() {
  const [access, setAccess] = useState<Access>(firstAccess);
  useEffect(() => {
    const onLink = () => {
      const code = takeCodeFromAddress();
      if (code !== null) setAccess({ kind: 'unknown', code });
    };
    addEventListener('hashchange', onLink);
    return () => removeEventListener('hashchange', onLink);
  }, []);
  // Without a key, asks the daemon for one, or whether it needs one.
  useEffect(() => {
    if (access.kind !== 'unknown') return;
    const { code } = access;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      if (code !== null) {
        setAccess(accessAfter(await exchangeCode(code)));
        return;
      }
      try {
        const { auth_enabled } = await new Substrate({ baseUrl: location.origin }).health();
        setAccess(auth_enabled ? { kind: 'asked', reason: null } : { kind: 'granted', key: null });
      } catch {
        // The daemon does not answer yet, as the page says; this is retried.
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
  const onKey = async (given: string) => setAccess(accessAfter(await exchangeKey(given)));
  return <SignIn reason={access.reason} onKey={onKey} />;
}

function firstAccess(): Access {
  const code = takeCodeFromAddress();
  return code === null ? withKept() : { kind: 'unknown', code };
}

/** An old link in a tab that already has access keeps the access. */
function accessAfter(exchange: Exchange): Access {
  if ('key' in exchange) return { kind: 'granted', key: exchange.key };
  return keptKey() === null ? { kind: 'asked', reason: exchange.reason } : withKept();
}

function withKept(): Access {
  const key = keptKey();
  return key === null ? { kind: 'unknown', code: null } : { kind: 'granted', key };
}
