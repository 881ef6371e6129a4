package substrate.agent.act;

import java.awt.EventQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs a call on the event thread of AWT. Use it only where AWT is loaded already. The event thread itself is never
 * interrupted: all windows of the app depend on it.
 */
final class OnEventThread implements Callable<Object> {
    private final Callable<Object> call;

    OnEventThread(Callable<Object> call) {
        this.call = call;
    }

    @Override
    public Object call() throws Exception {
        if (EventQueue.isDispatchThread()) return call.call();
        FutureTask<Object> task = new FutureTask<Object>(call);
        EventQueue.invokeLater(task);
        try {
            return task.get();
        } catch (InterruptedException tooLate) {
            // A task that has not begun by now must not run later.
            task.cancel(false);
            throw tooLate;
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            if (cause instanceof Exception) throw (Exception) cause;
            throw (Error) cause;
        }
    }
}
