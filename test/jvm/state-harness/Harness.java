package harness;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Runs the cases named by the arguments, `Suite` or `Suite.case`: static methods without parameters. One line for each. */
public final class Harness {
    private Harness() {}

    public static void main(String[] args) throws Exception {
        for (String name : args) {
            int dot = name.indexOf('.');
            String suiteName = dot < 0 ? name : name.substring(0, dot);
            Class<?> suite = Class.forName("harness." + suiteName);
            for (Method method : suite.getDeclaredMethods()) {
                if (!Modifier.isStatic(method.getModifiers()) || method.getParameterTypes().length > 0 || method.isSynthetic()) continue;
                if (Modifier.isPrivate(method.getModifiers()) || dot > 0 && !name.endsWith("." + method.getName())) continue;
                String result = "ok";
                try {
                    method.invoke(null);
                } catch (InvocationTargetException thrown) {
                    StringBuilder text = new StringBuilder(String.valueOf(thrown.getCause()));
                    if (text.length() > 1000) text.setLength(1000);
                    for (StackTraceElement frame : thrown.getCause().getStackTrace()) {
                        if (text.length() > 3000) break;
                        text.append(" | ").append(frame);
                    }
                    result = text.toString().replace('\n', ' ');
                }
                System.out.println(suiteName + "." + method.getName() + "\t" + result);
            }
        }
        System.exit(0);
    }
}
