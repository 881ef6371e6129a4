package harness;

import java.util.List;

/** For Java 16 and later. */
final class RecordCases {
    private RecordCases() {}

    record Point(int x, int y, List<String> tags) {}

    static void records() {
        Check.same("record", "tags.length=1 tags[0]=t x=1 y=2", Subject.shown(new Point(1, 2, List.of("t"))));
    }
}
