package harness;

import java.util.*;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.harness.Deployment;

/** State that only a server, a thread or a timer leads to; and what it is called. */
public final class HeldCases {
    private HeldCases() {}

    /** Public, because a server makes it. */
    public static final class Servlet {
        static List<String> log = new ArrayList<>(List.of("started"));
        int visits = 12;
    }

    static void deployments() throws Exception {
        Deployment deployment = new Deployment(Servlet.class);
        Class<?> type = deployment.loadClass(Servlet.class.getName());
        Check.that("of its own", type != Servlet.class);
        deployment.deploy(type.getDeclaredConstructor().newInstance());
        Subject subject = new Subject(1000);
        subject.vm.classes = new Class<?>[] {type, Deployment.class};
        Map<String, Object> state = subject.full();
        Check.same("its static fields", "started", state.get("Servlet.log[0]"));
        Check.same("what the server keeps", 12L, state.get("servlet.visits"));
        for (String key : state.keySet()) Check.that("nothing of the server: " + key, !key.toLowerCase(Locale.ROOT).contains("deployment"));
    }

    static final class Clinic {
        final List<String> patients = new ArrayList<>(List.of("Ada"));
        final CountDownLatch end = new CountDownLatch(1);

        /** Holds nothing but the clinic around it. */
        final class Shift implements Runnable {
            @Override
            public void run() {
                try {
                    end.await();
                } catch (InterruptedException ended) {
                    patients.clear();
                }
            }
        }

        /** Holds something of its own as well. */
        final class Reminder extends TimerTask {
            int rings = 3;

            @Override
            public void run() {
                patients.clear();
            }
        }
    }

    static void outerObjects() throws Exception {
        Clinic clinic = new Clinic();
        Thread thread = new Thread(clinic.new Shift(), "shift");
        thread.setDaemon(true);
        thread.start();
        Map<String, Object> state = new Subject(1000).full();
        Check.same("around a task", "Ada", state.get("clinic.patients[0]"));
        clinic.end.countDown();
        thread.join();
        Clinic other = new Clinic();
        Timer timer = new Timer(true);
        timer.schedule(other.new Reminder(), 3_600_000);
        state = new Subject(1000).full();
        Check.same("the task itself", 3L, state.get("reminder.rings"));
        Check.same("around it", "Ada", state.get("clinic.patients[0]"));
        Check.that("not as its field", !state.containsKey("reminder.this$0"));
        timer.cancel();
    }

    interface Handler {
        void handle();
    }

    static final class Exchange {
        static final List<Handler> HANDLERS = new ArrayList<>();
        final Map<String, String> members = new HashMap<>(Map.of("c1", "Sandpiper"));

        Handler inner() {
            return new Handler() {
                @Override
                public void handle() {
                    members.clear();
                }
            };
        }
    }

    static final class Lighthouse {
        final List<String> ships = new ArrayList<>(List.of("Petrel"));
        // Shown by a static field, so that the walk meets it.
        static Runnable signal;

        Runnable lambda() {
            return () -> ships.clear();
        }
    }

    /** Handlers that a static field holds lead to what they were made in; the second round finds it. */
    static void insideHandlers() {
        Exchange.HANDLERS.add(new Exchange().inner());
        Lighthouse.signal = new Lighthouse().lambda();
        Subject subject = new Subject(1000);
        subject.vm.classes = new Class<?>[] {Exchange.class, Lighthouse.class};
        Check.same("of a lambda in a static field", "Petrel", subject.full().get("lighthouse.ships[0]"));
        Map<String, Object> state = subject.next();
        Check.same("around an inner class", "Sandpiper", state.get("exchange.members.c1"));
        Check.same("stays", "same", kindOfNext(subject));
        Exchange.HANDLERS.clear();
        Lighthouse.signal = null;
    }

    static final class Dialog implements Runnable {
        String question = "sure?";
        final CountDownLatch end = new CountDownLatch(1);

        @Override
        public void run() {
            try {
                end.await();
            } catch (InterruptedException ended) {
                question = null;
            }
        }
    }

    /** A window has its name from the start; one that opens later takes it from what was found. */
    static void foundRootsGiveWay() throws Exception {
        Dialog dialog = new Dialog();
        Thread thread = new Thread(dialog, "dialog");
        thread.setDaemon(true);
        thread.start();
        Subject subject = new Subject(1000).put("window", new Object[] {"first"});
        Check.same("found", "sure?", subject.full().get("dialog.question"));
        subject.put("dialog", new Object[] {"a window"});
        Map<String, Object> state = subject.next();
        Check.same("the window", "a window", state.get("dialog[0]"));
        Check.same("gave way", "sure?", state.get("dialog_2.question"));
        Check.that("nowhere else", !state.containsKey("dialog.question"));
        Check.that("where it says", subject.reader.find("dialog_2") == dialog);
        Check.same("stays", "same", kindOfNext(subject));
        dialog.end.countDown();
        thread.join();
    }

    private static String kindOfNext(Subject subject) {
        subject.next();
        return subject.kind;
    }
}
