package substrate.agent.read;

import java.util.List;

/** A list of name patterns: see NamePattern in src/probes/insight/walk-rules.ts. */
final class NameList {
    private final String[] patterns;

    NameList(Object list) {
        patterns = ((List<?>) list).toArray(new String[0]);
    }

    boolean has(String name) {
        for (String pattern : patterns) {
            boolean isExcluded = pattern.charAt(0) == '!';
            if (matches(name, pattern, isExcluded ? 1 : 0)) return !isExcluded;
        }
        return false;
    }

    private static boolean matches(String name, String pattern, int from) {
        int star = pattern.indexOf('*', from);
        int last = pattern.lastIndexOf('*');
        if (star < 0) return name.length() == pattern.length() - from && pattern.endsWith(name);
        if (star < last) return name.contains(pattern.substring(star + 1, last));
        int before = star - from;
        int after = pattern.length() - star - 1;
        return name.length() >= before + after && name.regionMatches(0, pattern, from, before)
            && name.regionMatches(name.length() - after, pattern, star + 1, after);
    }
}
