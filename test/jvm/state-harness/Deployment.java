package org.eclipse.jetty.harness;

import java.io.IOException;
import java.io.InputStream;

/** By its name part of a server: it makes the classes of one application again, and knows what that consists of. */
public final class Deployment extends ClassLoader {
    private final String name;
    public final Object[] context = {new Object[1]};

    public Deployment(Class<?> type) {
        super(type.getClassLoader());
        name = type.getName();
    }

    @Override
    protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
        if (!wanted.equals(name)) return super.loadClass(wanted, resolve);
        Class<?> made = findLoadedClass(name);
        if (made != null) return made;
        try (InputStream bytes = getResourceAsStream(name.replace('.', '/') + ".class")) {
            byte[] all = bytes.readAllBytes();
            return defineClass(name, all, 0, all.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }

    /** Puts an object of the application where the server would keep it. */
    public void deploy(Object object) {
        ((Object[]) context[0])[0] = object;
    }
}
