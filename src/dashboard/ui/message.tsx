import { visible } from './value-text.ts';

/** What the daemon says. After its first line may come others, of code, with a mark below the place that is meant. */
export function Message({ text }: { text: string }) {
  const [said = '', ...code] = text.trimEnd().split('\n');
  return (
    <>
      <p class="ui-message">{visible(said)}</p>
      {code.length > 0 && <pre class="ui-message-code">{code.map(visible).join('\n')}</pre>}
    </>
  );
}
