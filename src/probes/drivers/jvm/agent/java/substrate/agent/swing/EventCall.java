package substrate.agent.swing;

import java.awt.Window;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import substrate.agent.act.BadArgument;
import substrate.agent.act.Busy;
import substrate.agent.act.NotDispatched;
import substrate.agent.act.Outcome;
import substrate.agent.act.Thrown;
import substrate.agent.vm.Vm;

/** One action on the event thread, and the wait for it. */
final class EventCall implements Runnable {
    private static final int WAITING = 0;
    private static final int RUNNING = 1;
    private static final int GIVEN_UP = 2;
    private static final long LOOK_MS = 10;

    private final Vm vm;
    private final Performer performer;
    private final AtomicInteger state = new AtomicInteger(WAITING);
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile Throwable thrown;

    EventCall(Vm vm, Performer performer) {
        this.vm = vm;
        this.performer = performer;
    }

    @Override
    public void run() {
        if (!state.compareAndSet(WAITING, RUNNING)) return;
        try {
            performer.perform();
        } catch (Throwable e) {
            thrown = e;
        } finally {
            done.countDown();
        }
    }

    Outcome await(Window window, long timeoutMs) throws BadArgument, NotDispatched {
        List<Window> before = Windows.showing();
        Windows.post(window, this);
        long deadline = System.nanoTime() + timeoutMs * 1000000L;
        try {
            while (!done.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
                // A handler that shows a modal dialog comes back when the dialog is closed.
                Window dialog = state.get() == RUNNING ? newDialog(before) : null;
                if (dialog != null) return opened(dialog);
                if (System.nanoTime() - deadline >= 0) return late(timeoutMs);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return late(timeoutMs);
        }
        return outcome(newDialog(before));
    }

    private static Window newDialog(List<Window> before) {
        for (Window window : Windows.showing()) {
            boolean isOld = false;
            for (Window old : before) isOld |= old == window;
            if (!isOld && Windows.isModal(window)) return window;
        }
        return null;
    }

    private Outcome opened(Window dialog) {
        return done("opened the dialog \"" + Windows.titleOf(dialog) + "\"");
    }

    private static Outcome done(String message) {
        return new Outcome(true, message, null, null);
    }

    private Outcome late(long timeoutMs) throws NotDispatched {
        if (state.compareAndSet(WAITING, GIVEN_UP))
            throw new Busy("the window does not answer: its event thread was busy for " + timeoutMs + " ms");
        String message = performer.called + " still runs on the event thread after " + timeoutMs + " ms";
        return new Outcome(false, message, null, null);
    }

    private Outcome outcome(Window dialog) throws BadArgument, NotDispatched {
        Throwable e = thrown;
        if (e instanceof BadArgument) throw (BadArgument) e;
        if (e instanceof NotDispatched) throw (NotDispatched) e;
        if (e != null) return new Outcome(false, "threw " + Thrown.text(vm, e), Thrown.json(vm, e), null);
        return dialog == null ? done("done: " + performer.called) : opened(dialog);
    }
}
