package substrate.agent.swing;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a control may do, as far as its own words tell. Told by the whole text: the name of the action is cut. The words
 * are those by which the controls of web pages are judged.
 */
final class Consequences {
    private static final Set<String> LASTING = words(
        "delete destroy purge wipe reset terminate shutdown kill remove discard drop erase clear empty "
            + "trash unsubscribe subscribe deactivate activate revoke confirm apply save accept agree approve "
            + "reject decline deny book reserve register signup enroll invite share reply archive block unblock "
            + "report ban unban merge rename import install uninstall update upgrade downgrade create logout "
            + "signout logoff signoff optout donate bid bids bet bets vote withdraw exchange trade unlink "
            + "overwrite replace leave quit exit resign fire hire wire pledge gamble place deposit sell rent "
            + "renew redeem claim cashout void launch rollback restart reboot execute broadcast tweet retweet "
            + "dial arm disarm evict expel suspend migrate promote demote assign grant authorize authorise "
            + "finalize finalise revert restore restock ship send submit buy pay purchase order checkout "
            + "publish post transfer deploy upload email notify charge refund");
    private static final Set<String> UNSURE =
        words("cancel close dismiss forward stop end switch start run go open enable disable");

    private Consequences() {}

    private static Set<String> words(String text) {
        return new HashSet<String>(Arrays.asList(text.split(" ")));
    }

    /** Its name is judged by the daemon, unless its words say that what it does stays. */
    static String ofButton(String... texts) {
        return isLasting(texts) ? "unknown" : "control";
    }

    /** What is undone by itself, or by another of its kind. */
    static String ofToggle(String... texts) {
        if (isLasting(texts)) return "unknown";
        List<String> spoken = Names.wordsOf(texts[0]);
        return !spoken.isEmpty() && UNSURE.contains(spoken.get(0)) ? "control" : "setter";
    }

    private static boolean isLasting(String... texts) {
        for (String text : texts) {
            String before = "";
            for (String word : Names.wordsOf(text)) {
                if (LASTING.contains(word) || LASTING.contains(before + word)) return true;
                before = word;
            }
        }
        return false;
    }
}
