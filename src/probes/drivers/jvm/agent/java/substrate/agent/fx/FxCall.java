package substrate.agent.fx;

import java.util.List;
import substrate.agent.act.NotDispatched;
import substrate.agent.health.Discarded;
import substrate.agent.screen.UiCall;
import substrate.agent.screen.UiRequest;
import substrate.agent.vm.Vm;

/** One action on the thread of JavaFX. */
final class FxCall extends UiCall {
    private final FxWindows windows;
    private final FxControl control;
    private final List<Object> before;

    FxCall(Vm vm, FxWindows windows, FxWidget widget, UiRequest asked) {
        super(vm, asked.called);
        this.windows = windows;
        before = windows.showing();
        control = new FxControl(windows, widget, asked);
    }

    @Override
    protected void post() throws NotDispatched {
        try {
            windows.post(this);
        } catch (Exception e) {
            Discarded.count("FxCall.post", e);
            throw new NotDispatched("the windows of this program have ended");
        }
    }

    @Override
    protected void perform() throws Exception {
        control.perform();
    }

    @Override
    protected String newDialog() {
        for (Object window : windows.showing()) {
            boolean isOld = false;
            for (Object old : before) isOld |= old == window;
            if (!isOld && FxWindows.isModal(window)) return FxWindows.titleOf(window);
        }
        return null;
    }
}
