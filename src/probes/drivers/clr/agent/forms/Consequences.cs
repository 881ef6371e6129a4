using System.Collections.Generic;

namespace Substrate.Forms
{
    /// <summary>
    /// What a control may do, as far as its own words tell. Told by the whole text: the name of the action is cut. The
    /// words are those by which the controls of web pages are judged.
    /// </summary>
    static class Consequences
    {
        static readonly HashSet<string> Lasting = new HashSet<string>((
            "delete destroy purge wipe reset terminate shutdown kill remove discard drop erase clear empty "
            + "trash unsubscribe subscribe deactivate activate revoke confirm apply save accept agree approve "
            + "reject decline deny book reserve register signup enroll invite share reply archive block unblock "
            + "report ban unban merge rename import install uninstall update upgrade downgrade create logout "
            + "signout logoff signoff optout donate bid bids bet bets vote withdraw exchange trade unlink "
            + "overwrite replace leave quit exit resign fire hire wire pledge gamble place deposit sell rent "
            + "renew redeem claim cashout void launch rollback restart reboot execute broadcast tweet retweet "
            + "dial arm disarm evict expel suspend migrate promote demote assign grant authorize authorise "
            + "finalize finalise revert restore restock ship send submit buy pay purchase order checkout "
            + "publish post transfer deploy upload email notify charge refund").Split(' '));
        static readonly HashSet<string> Unsure = new HashSet<string>(
            "cancel close dismiss forward stop end switch start run go open enable disable".Split(' '));

        /// <summary>Its name is judged by the daemon, unless its words say that what it does stays.</summary>
        internal static string OfButton(params string[] texts)
        {
            return IsLasting(texts) ? "unknown" : "control";
        }

        /// <summary>What is undone by itself, or by another of its kind.</summary>
        internal static string OfToggle(params string[] texts)
        {
            if (IsLasting(texts)) return "unknown";
            List<string> spoken = Names.WordsOf(texts[0]);
            return spoken.Count > 0 && Unsure.Contains(spoken[0]) ? "control" : "setter";
        }

        static bool IsLasting(string[] texts)
        {
            foreach (string text in texts)
            {
                string before = "";
                foreach (string word in Names.WordsOf(text))
                {
                    if (Lasting.Contains(word) || Lasting.Contains(before + word)) return true;
                    before = word;
                }
            }
            return false;
        }
    }
}
