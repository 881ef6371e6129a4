/** Reads from the names of Java classes how a root is called, and whose code a class is. */
import type { RootTraits } from '../../insight/roots/root-catalog.ts';
import type { TypeNames } from '../../insight/roots/root-names.ts';
import type { ClassTables } from './protocol.ts';

const TYPE_NAMES: TypeNames = {
  /** `Inner` for `com.example.Outer$Inner`; a class that begins with a digit has no name of its own. */
  simple(type) {
    const last = /[^.$]*$/.exec(ofSource(type))?.[0] ?? '';
    return last === '' || /^\d/.test(last) ? null : last;
  },
  withOuter(type) {
    const last = /[^.]*$/.exec(ofSource(type))?.[0] ?? '';
    return last.indexOf('$') > 0 ? last.replaceAll('$', '_') : null;
  },
};

/**
 * Removes the additions of compilers: `Till$` is Scala's object Till, `shop.package$` the object of the package `shop`,
 * and `TillKt` holds the top-level declarations of Kotlin's file Till.kt.
 */
function ofSource(type: string): string {
  return type
    .replace(/\$+$/, '')
    .replace(/(.)\.package$/, '$1')
    .replace(/(?<=[\p{Lowercase}\d_])Kt$/u, '');
}

/** All sessions of web servers are one root. */
export const JAVA_ROOTS: RootTraits = { types: TYPE_NAMES, reserved: ['sessions'] };

const list = (...lines: readonly string[]) => lines.join(' ').split(' ');

/** Organisations with many projects: of these, only the project that was started counts as the app. */
const HOUSES = list(
  'org.apache. com.google. org.eclipse. org.jboss. org.codehaus. com.sun. sun. jdk. javax. jakarta. oracle.',
  'org.glassfish. com.amazonaws. software.amazon. com.microsoft. com.oracle. org.jetbrains. io.github.',
  'com.github. org.openjdk. org.ow2.',
);

const PROJECTS = list(
  'org.springframework. org.slf4j. ch.qos.logback. io.netty. com.fasterxml. org.hibernate. kotlin. kotlinx.',
  'scala. groovy. groovyjarjar clojure. io.micrometer. reactor. io.undertow. org.wildfly. org.xnio. com.zaxxer.',
  'org.junit. junit. org.mockito. javassist. net.bytebuddy. org.objectweb. org.h2. org.hsqldb. org.sqlite.',
  'org.mariadb. com.mysql. org.postgresql. org.mongodb. com.mongodb. redis.clients. io.lettuce. org.redisson.',
  'io.reactivex. rx. org.reactivestreams. okhttp3. okio. retrofit2. io.grpc. io.vertx. io.quarkus. io.smallrye.',
  'io.micronaut. io.helidon. org.thymeleaf. freemarker. org.yaml. org.xml. org.w3c. org.aspectj.',
  'org.aopalliance. org.dom4j. org.jdom org.json. net.minidev. com.jayway. org.joda. org.antlr. antlr.',
  'com.github.benmanes. net.sf. net.jpountz. org.bouncycastle. io.jsonwebtoken. org.flywaydb. liquibase.',
  'org.quartz. org.mybatis. org.jooq. com.querydsl. org.checkerframework. io.opentelemetry. io.opentracing.',
  'io.prometheus. org.tukaani. com.ibm.icu. net.java. javafx. com.jgoodies. com.formdev. org.jdesktop. akka.',
  'play. io.swagger. org.modelmapper. org.mapstruct. lombok. org.jline. jline. com.lmax. org.agrona. it.unimi.',
  'gnu.trove. com.carrotsearch. com.typesafe. ognl. org.attoparser. org.unbescape. org.osgi. nrepl. cider.',
  'refactor_nrepl. leiningen. rebel_readline. compliment. compojure. reitit. cheshire. hiccup. taoensso.',
  'integrant. ring.adapter. ring.core. ring.middleware. ring.util. com.stuartsierra. next.jdbc. selmer. muuntaja.',
  'malli. potemkin. schema.core. mount.core. honey.sql. clj_time. medley.core. cljs. manifold. aleph.',
  'io.pedestal. instaparse. borkdude. edamame. flatland.',
);

/**
 * Programs that start or host other programs: application servers, loaders, build tools. Users mean the hosted program;
 * the host's own state is in its management beans.
 */
const CONTAINERS = list(
  'org.apache.catalina. org.apache.tomcat. org.apache.tomee. org.apache.openejb. org.apache.karaf.',
  'org.apache.felix. org.apache.maven. org.apache.tools.ant. org.eclipse.jetty. org.eclipse.equinox.',
  'org.eclipse.osgi. org.jboss. org.wildfly. io.undertow. org.glassfish. com.sun.enterprise. com.sun.javafx.',
  'com.sun.tools.javac.launcher. sun.launcher. com.ibm.ws. weblogic. io.quarkus. org.springframework.boot.',
  'org.codehaus.plexus. org.codehaus.classworlds. org.gradle. worker.org.gradle. xsbt.boot. com.caucho.',
  'winstone. clojure. groovy. org.codehaus.groovy. org.apache.groovy. scala. kotlin. jdk.jshell.',
);

/** Parts of the JDK that lead to no state, or to too many objects that are none. */
const DEAD_ENDS = list(
  'java.lang.reflect. java.lang.invoke. java.lang.module. java.lang.Module java.security. java.util.jar.',
  'java.util.zip. java.util.regex. java.text. java.time. java.math. java.util.logging. java.util.Locale',
  'java.io. java.nio.charset. java.nio.file. java.net. java.awt. javax.swing. java.rmi. sun.rmi. sun.security.',
  'sun.util. sun.awt. sun.java2d. sun.font. sun.management. com.sun.jmx. javax.management. jdk.internal.',
  'java.util.ResourceBundle javax.net. javax.crypto. javax.security. java.util.ServiceLoader',
  'java.lang.StackTraceElement java.lang.ThreadGroup java.lang.Process sun.misc. sun.nio.fs. sun.nio.cs.',
);

/** Parts of the names of classes that frameworks generate around others. */
const PROXIES = list(
  '$$EnhancerBy $$SpringCGLIB$$ $$FastClassBy $ByteBuddy$ $HibernateProxy$ _$$_jvst _$$_javassist _$$_Weld',
  '_ClientProxy',
);

/** Well-known libraries, by the beginning of their class names. Their objects say little of an app. */
export function classTables(mainClass: string | null): ClassTables {
  const libraries = [...HOUSES, ...PROJECTS, ...CONTAINERS];
  return { libraries, deadEnds: DEAD_ENDS, proxies: PROXIES, own: mainClass === null ? null : ownNames(mainClass) };
}

/**
 * The prefix of names that belong to the app although a library has it too, when this class started it; null if there
 * is none.
 */
function ownNames(mainClass: string): string | null {
  const isOf = (beginning: string) => mainClass.startsWith(beginning);
  if (CONTAINERS.some(isOf)) return null;
  const project = PROJECTS.find(isOf);
  const house = HOUSES.find(isOf);
  if (project !== undefined || house === undefined) return project ?? null;
  const dot = mainClass.indexOf('.', house.length);
  return dot < 0 ? null : mainClass.slice(0, dot + 1);
}
