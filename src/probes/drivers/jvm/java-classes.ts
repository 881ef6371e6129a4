/** Reads from the names of Java classes how a root is called, whose code a class is, and which rules apply to it. */
import type { RootTraits } from '../../insight/roots/root-catalog.ts';
import type { TypeNames } from '../../insight/roots/root-names.ts';
import { list, type WalkRules, walkRules } from '../../insight/walk-rules.ts';

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

/** Fields that compilers of Java, Kotlin, Scala, Groovy, Clojure and AspectJ add, and code coverage. */
const NOISE_FIELDS = list(
  '$VALUES $ENTRIES metaClass Companion serialVersionUID MODULE$ $staticClassInfo $stable $staticClassInfo$',
  '$callSiteArray $jacocoData $assertionsDisabled serialPersistentFields __meta __extmap __hash __hasheq $$* ajc$*',
  'bitmap$* CGLIB$* this$* $SWITCH_TABLE$* $SwitchMap$* const__* __thunk__* __site__* __cached_class__* OFFSET$*',
  '0bitmap$* __$*',
);

const MACHINERY = list(
  'java.lang.ClassLoader java.lang.ThreadLocal java.util.ResourceBundle java.text.Format java.io.InputStream',
  'java.io.OutputStream java.io.Reader java.io.Writer java.util.concurrent.locks.Lock',
  'java.util.concurrent.locks.ReadWriteLock java.util.concurrent.locks.AbstractQueuedSynchronizer',
);

const PLAIN_DATA = list(
  'java.awt.Point java.awt.Dimension java.awt.Rectangle java.awt.Insets java.awt.geom.Point2D$Double',
  'java.awt.geom.Point2D$Float java.awt.geom.Rectangle2D$Double java.awt.geom.Rectangle2D$Float',
  'java.awt.geom.Line2D$Double java.awt.geom.Ellipse2D$Double',
);

const DATA_INTERFACES = list(
  '!java.util.function.* java.util.concurrent.*Map java.util.concurrent.*Queue java.util.concurrent.*Deque',
  '!java.util.concurrent.* java.util.* java.time.* java.lang.CharSequence java.lang.Comparable java.nio.file.Path',
);

const SHARED_EMPTIES = list(
  'clojure.lang.* scala.collection.immutable.* java.util.ImmutableCollections$* java.util.Collections$Empty*',
);

/** The rules for a program that this class started; null if it is not known. */
export function javaRules(mainClass: string | null): WalkRules {
  return walkRules({
    owners: {
      frameworks: [],
      libraries: [...HOUSES, ...PROJECTS, ...CONTAINERS],
      deadEnds: DEAD_ENDS,
      proxies: PROXIES,
      own: mainClass === null ? null : ownNames(mainClass),
    },
    noiseFields: NOISE_FIELDS,
    machinery: MACHINERY,
    plainData: PLAIN_DATA,
    dataInterfaces: DATA_INTERFACES,
    sharedEmpties: SHARED_EMPTIES,
  });
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
