import { visible } from './value-text.ts';

/** A message of the daemon. Lines of code may follow the first line, with a mark below the relevant position. */
export function Message({ text }: { text: string }) {
  const [said = '', ...code] = text.trimEnd().split('\n');
  return (
    <>
      <p class="ui-message">{visible(said)}</p>
      {code.length > 0 && <pre class="ui-message-code">{code.map(visible).join('\n')}</pre>}
    </>
  );
}
