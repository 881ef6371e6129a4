package substrate.agent.state;

/** Well-known libraries, by the beginning of their class names. Their objects say little of an app. */
final class Libraries {
    /** Houses of many projects: only the project that the app is counts as the app. */
    private static final String[] HOUSES = {
        "org.apache.", "com.google.", "org.eclipse.", "org.jboss.", "org.codehaus.", "com.sun.", "sun.", "jdk.",
        "javax.", "jakarta.", "oracle.", "org.glassfish.", "com.amazonaws.", "software.amazon.", "com.microsoft.",
        "com.oracle.", "org.jetbrains.", "io.github.", "com.github.", "org.openjdk.", "org.ow2.",
    };
    private static final String[] PROJECTS = {
        "org.springframework.", "org.slf4j.", "ch.qos.logback.", "io.netty.", "com.fasterxml.", "org.hibernate.",
        "kotlin.", "kotlinx.", "scala.", "groovy.", "groovyjarjar", "clojure.", "io.micrometer.", "reactor.",
        "io.undertow.", "org.wildfly.", "org.xnio.", "com.zaxxer.", "org.junit.", "junit.", "org.mockito.",
        "javassist.", "net.bytebuddy.", "org.objectweb.", "org.h2.", "org.hsqldb.", "org.sqlite.", "org.mariadb.",
        "com.mysql.", "org.postgresql.", "org.mongodb.", "com.mongodb.", "redis.clients.", "io.lettuce.",
        "org.redisson.", "io.reactivex.", "rx.", "org.reactivestreams.", "okhttp3.", "okio.", "retrofit2.", "io.grpc.",
        "io.vertx.", "io.quarkus.", "io.smallrye.", "io.micronaut.", "io.helidon.", "org.thymeleaf.", "freemarker.",
        "org.yaml.", "org.xml.", "org.w3c.", "org.aspectj.", "org.aopalliance.", "org.dom4j.", "org.jdom", "org.json.",
        "net.minidev.", "com.jayway.", "org.joda.", "org.antlr.", "antlr.", "com.github.benmanes.", "net.sf.",
        "net.jpountz.", "org.bouncycastle.", "io.jsonwebtoken.", "org.flywaydb.", "liquibase.", "org.quartz.",
        "org.mybatis.", "org.jooq.", "com.querydsl.", "org.checkerframework.", "io.opentelemetry.", "io.opentracing.",
        "io.prometheus.", "org.tukaani.", "com.ibm.icu.", "net.java.", "javafx.", "com.jgoodies.", "com.formdev.",
        "org.jdesktop.", "akka.", "play.", "io.swagger.", "org.modelmapper.", "org.mapstruct.", "lombok.", "org.jline.",
        "jline.", "com.lmax.", "org.agrona.", "it.unimi.", "gnu.trove.", "com.carrotsearch.", "com.typesafe.", "ognl.",
        "org.attoparser.", "org.unbescape.", "org.osgi.",
    };
    /**
     * What starts other programs or holds them, and is no program itself: servers of applications, loaders, build
     * tools. People who look at one mean what runs in it; of itself it tells by its management beans.
     */
    private static final String[] CONTAINERS = {
        "org.apache.catalina.", "org.apache.tomcat.", "org.apache.tomee.", "org.apache.openejb.", "org.apache.karaf.",
        "org.apache.felix.", "org.apache.maven.", "org.apache.tools.ant.", "org.eclipse.jetty.", "org.eclipse.equinox.",
        "org.eclipse.osgi.", "org.jboss.", "org.wildfly.", "io.undertow.", "org.glassfish.", "com.sun.enterprise.",
        "com.sun.javafx.", "com.sun.tools.javac.launcher.", "sun.launcher.", "com.ibm.ws.", "weblogic.", "io.quarkus.",
        "org.springframework.boot.", "org.codehaus.plexus.", "org.codehaus.classworlds.", "org.gradle.", "worker.org.gradle.", "xsbt.boot.",
        "com.caucho.", "winstone.",
    };

    private Libraries() {}

    static boolean isKnown(String className) {
        return startsWithAny(className, HOUSES) || startsWithAny(className, PROJECTS)
            || startsWithAny(className, CONTAINERS);
    }

    /** The beginning of names that are the app's own although a library's, when this class started it; null: none. */
    static String exemption(String mainClass) {
        if (mainClass == null || startsWithAny(mainClass, CONTAINERS)) return null;
        for (String project : PROJECTS) if (mainClass.startsWith(project)) return project;
        for (String house : HOUSES) {
            if (!mainClass.startsWith(house)) continue;
            int dot = mainClass.indexOf('.', house.length());
            return dot < 0 ? null : mainClass.substring(0, dot + 1);
        }
        return null;
    }

    private static boolean startsWithAny(String name, String[] prefixes) {
        for (String prefix : prefixes) if (name.startsWith(prefix)) return true;
        return false;
    }
}
