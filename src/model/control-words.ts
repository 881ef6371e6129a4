/** The one list of words that say what a control or an action does. */

const words = (text: string): readonly string[] => text.split(' ');

/** In an unknown app these words stop a request; in a known one they require a verification. */
export const DANGEROUS_WORDS: readonly string[] = words('delete destroy purge wipe reset terminate shutdown kill');
/** Actions with these words reach beyond the app. */
export const OUTWARD_WORDS: readonly string[] = words(
  'send submit buy pay purchase order checkout publish post transfer deploy upload email notify charge refund',
);
/** The effect of these words lasts, or reaches beyond the app. */
const LASTING: ReadonlySet<string> = new Set([
  ...DANGEROUS_WORDS,
  ...OUTWARD_WORDS,
  ...words(
    'remove discard drop erase clear empty trash unsubscribe subscribe deactivate activate revoke confirm apply save ' +
      'accept agree approve reject decline deny book reserve register signup enroll invite share reply archive block ' +
      'unblock report ban unban merge rename import install uninstall update upgrade downgrade create logout signout ' +
      'logoff signoff optout donate bid bids bet bets vote withdraw exchange trade unlink overwrite replace leave quit ' +
      'exit resign fire hire wire pledge gamble place deposit sell rent renew redeem claim cashout void launch rollback ' +
      'restart reboot execute broadcast tweet retweet dial arm disarm evict expel suspend migrate promote demote assign ' +
      'grant authorize authorise finalize finalise revert restore restock ship',
  ),
]);
/** Words that also name pages, tabs and menus: a link `Orders` or `Book` leads to orders and books. */
const ALSO_NAMES: ReadonlySet<string> = new Set(
  words(
    'activate archive bid bids bet bets block book broadcast charge claim create deploy deposit donate email exchange ' +
      'execute exit grant hire import install invite launch merge migrate notify order place post promote publish ' +
      'purchase refund register rent reply report reserve restore sell share ship signup subscribe trade transfer tweet ' +
      'update upgrade upload vote',
  ),
);
/** Harmless for parts of a screen (`close menu`), so the name of the action decides. */
const UNSURE: ReadonlySet<string> = new Set(
  words('cancel close dismiss forward stop end switch start run go open enable disable'),
);

/** `spoken`: lower-case words in their order. `check out` also counts as `checkout`. */
export function saysLasting(spoken: readonly string[]): boolean {
  return spoken.some((word, at) => LASTING.has(word) || LASTING.has(`${word}${spoken[at + 1] ?? ''}`));
}

/** Ignores words that may as well be names. */
export function surelySaysLasting(spoken: readonly string[]): boolean {
  const lasts = (word: string) => LASTING.has(word) && !ALSO_NAMES.has(word);
  return spoken.some((word, at) => lasts(word) || lasts(`${word}${spoken[at + 1] ?? ''}`));
}

export function beginsUnsure(spoken: readonly string[]): boolean {
  return UNSURE.has(spoken[0] ?? '');
}
