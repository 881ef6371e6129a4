package substrate.agent.screen;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import substrate.agent.act.BadArgument;
import substrate.agent.act.Busy;
import substrate.agent.act.NotDispatched;
import substrate.agent.act.Outcome;
import substrate.agent.act.Thrown;
import substrate.agent.vm.Vm;

/** One action on the thread of the windows, and the wait for it. */
public abstract class UiCall implements Runnable {
    private static final int WAITING = 0;
    private static final int RUNNING = 1;
    private static final int GIVEN_UP = 2;
    private static final long POLL_MS = 10;

    private final Vm vm;
    private final String called;
    private final AtomicInteger state = new AtomicInteger(WAITING);
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile Throwable thrown;

    /** `called`: the control in words for people, such as `the button "Save"`. */
    protected UiCall(Vm vm, String called) {
        this.vm = vm;
        this.called = called;
    }

    /** Makes the thread of the windows run this object. */
    protected abstract void post() throws NotDispatched;

    /** Runs on that thread. */
    protected abstract void perform() throws Exception;

    /** Title of a new modal dialog; null if there is none. */
    protected abstract String newDialog();

    @Override
    public final void run() {
        if (!state.compareAndSet(WAITING, RUNNING)) return;
        try {
            perform();
        } catch (Throwable e) {
            thrown = e;
        } finally {
            done.countDown();
        }
    }

    public final Outcome await(long timeoutMs) throws BadArgument, NotDispatched {
        post();
        long deadline = System.nanoTime() + timeoutMs * 1000000L;
        try {
            while (!done.await(POLL_MS, TimeUnit.MILLISECONDS)) {
                // A handler that shows a modal dialog returns when the dialog is closed.
                String dialog = state.get() == RUNNING ? newDialog() : null;
                if (dialog != null) return opened(dialog);
                if (System.nanoTime() - deadline >= 0) return late(timeoutMs);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return late(timeoutMs);
        }
        return outcome(newDialog());
    }

    private static Outcome opened(String dialog) {
        return done("opened the dialog \"" + dialog + "\"");
    }

    private static Outcome done(String message) {
        return new Outcome(true, message, null, null);
    }

    private Outcome late(long timeoutMs) throws NotDispatched {
        if (state.compareAndSet(WAITING, GIVEN_UP))
            throw new Busy("the window does not answer: its event thread was busy for " + timeoutMs + " ms");
        return new Outcome(false, called + " still runs on the event thread after " + timeoutMs + " ms", null, null);
    }

    private Outcome outcome(String dialog) throws BadArgument, NotDispatched {
        Throwable e = thrown;
        if (e instanceof BadArgument) throw (BadArgument) e;
        if (e instanceof NotDispatched) throw (NotDispatched) e;
        if (e != null) return new Outcome(false, "threw " + Thrown.text(vm, e), Thrown.json(vm, e), null);
        return dialog == null ? done("done: " + called) : opened(dialog);
    }
}
