package substrate.agent.swing;

import java.awt.Window;
import java.util.List;
import substrate.agent.screen.UiCall;
import substrate.agent.vm.Vm;

/** One action on the event thread of AWT. */
final class EventCall extends UiCall {
    private final Performer performer;
    private final Window window;
    private final List<Window> before = Windows.showing();

    EventCall(Vm vm, String called, Performer performer, Window window) {
        super(vm, called);
        this.performer = performer;
        this.window = window;
    }

    @Override
    protected void post() {
        Windows.post(window, this);
    }

    @Override
    protected void perform() throws Exception {
        performer.perform();
    }

    @Override
    protected String newDialog() {
        for (Window showing : Windows.showing()) {
            boolean isOld = false;
            for (Window old : before) isOld |= old == showing;
            if (!isOld && Windows.isModal(showing)) return Windows.titleOf(showing);
        }
        return null;
    }
}
