package harness;

import substrate.agent.vm.StackLocal;
import substrate.agent.vm.Vm;

/** A VM that tells what a test wants; the packages are opened on the command line. */
final class FakeVm implements Vm {
    Class<?>[] classes = {};
    StackLocal[] locals = {};

    @Override
    public Class<?>[] loadedClasses() {
        return classes.clone();
    }

    @Override
    public boolean isInitialised(Class<?> type) {
        return true;
    }

    @Override
    public boolean open(Class<?> type) {
        return type.getModule().isOpen(type.getPackageName(), FakeVm.class.getModule());
    }

    @Override
    public StackLocal[] stackLocals(int max) {
        return locals;
    }

    @Override
    public long cpuNanos() {
        return System.nanoTime();
    }

    @Override
    public boolean seesStacks() {
        return locals.length > 0;
    }
}
