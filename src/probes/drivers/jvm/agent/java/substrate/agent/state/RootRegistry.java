package substrate.agent.state;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import substrate.agent.read.Rules;

/** The roots. A root stays the same as long as its object lives, even when a search did not find it for a while. */
final class RootRegistry {
    /** Roots with a fixed place: static fields, beans. Shown before all others. */
    private List<RootCandidate> first = new ArrayList<RootCandidate>();
    /** Roots that threads hold; shown where none of the first shows them. */
    private List<RootCandidate> later = new ArrayList<RootCandidate>();
    private final List<RootCandidate> former = new ArrayList<RootCandidate>();

    List<RootCandidate> first() {
        return first;
    }

    List<RootCandidate> later() {
        return later;
    }

    /**
     * Takes the result of a search; returns the new ones of `held`, which become roots if nothing else shows them. Not
     * `isComplete` means that the search was cut short, so that roots missing in `held` may still be there.
     */
    List<RootCandidate> take(List<RootCandidate> standing, List<RootCandidate> held, boolean isComplete) {
        List<RootCandidate> formerFirst = first;
        List<RootCandidate> formerLater = later;
        first = new ArrayList<RootCandidate>();
        later = new ArrayList<RootCandidate>();
        Set<RootCandidate> still = new HashSet<RootCandidate>();
        Identities known = new Identities();
        for (RootCandidate root : formerFirst) known.add(root);
        for (RootCandidate root : formerLater) known.add(root);
        for (RootCandidate root : former) known.add(root);
        for (RootCandidate root : standing) {
            RootCandidate same = known.find(root);
            RootCandidate kept = same == null ? root : same;
            if (first.size() < Rules.maxRoots && still.add(kept)) first.add(kept);
        }
        List<RootCandidate> fresh = new ArrayList<RootCandidate>();
        Identities taken = new Identities();
        for (RootCandidate root : first) taken.add(root);
        for (RootCandidate root : held) {
            if (taken.find(root) != null) continue;
            taken.add(root);
            RootCandidate same = known.find(root);
            if (same == null) fresh.add(root);
            else if (formerLater.contains(same) && still.add(same)) later.add(same);
            else if (still.add(same)) fresh.add(same);
        }
        if (!isComplete)
            for (RootCandidate root : formerLater) if (root.target() != null && still.add(root)) later.add(root);
        remember(formerFirst, still);
        remember(formerLater, still);
        return fresh;
    }

    /** Makes the candidate a root. */
    void keep(RootCandidate root) {
        if (later.size() < Rules.maxRoots) later.add(root);
    }

    /** True when the object of a root is gone. */
    boolean isSomeGone() {
        for (RootCandidate root : first) if (root.target() == null) return true;
        for (RootCandidate root : later) if (root.target() == null) return true;
        return false;
    }

    private void remember(List<RootCandidate> roots, Set<RootCandidate> still) {
        for (RootCandidate root : roots)
            if (!still.contains(root) && root.target() != null) former.add(root);
        for (int at = former.size() - 1; at >= 0; at--)
            if (former.get(at).target() == null || still.contains(former.get(at))) former.remove(at);
        while (former.size() > Rules.maxFormerRoots) former.remove(0);
    }

    /** Roots by the identity of their objects. */
    private static final class Identities {
        private final SeenObjects seen = new SeenObjects();
        private final List<RootCandidate> roots = new ArrayList<RootCandidate>();

        void add(RootCandidate root) {
            Object target = root.target();
            if (target == null || seen.find(target) >= 0) return;
            seen.add(target, roots.size());
            roots.add(root);
        }

        RootCandidate find(RootCandidate root) {
            Object target = root.target();
            int at = target == null ? -1 : seen.find(target);
            return at < 0 ? null : roots.get(at);
        }
    }
}
