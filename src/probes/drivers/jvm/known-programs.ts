/** Programs whose main class is meaningless to people, or a launcher of another program. */
import path from 'node:path';
import { type JavaCommand, property } from './java-command.ts';

interface KnownProgram {
  /** Main class, module or file name of the jar. */
  readonly main: RegExp;
  /** Null if this command does not reveal the name. */
  readonly name: string | ((command: JavaCommand) => string | null);
  /** A property that distinguishes one installation or project from another. */
  readonly home?: string;
}

const KNOWN: readonly KnownProgram[] = [
  // Application servers
  { main: /^org\.apache\.catalina\.startup\.Bootstrap$/, name: 'Tomcat', home: 'catalina.base' },
  { main: /^org\.apache\.tomee\./, name: 'TomEE', home: 'catalina.base' },
  { main: /^org\.eclipse\.jetty\.(?:start|xml)\./, name: 'Jetty', home: 'jetty.base' },
  { main: /^jetty-(?:home|runner|start)\b.*\.jar$/, name: 'Jetty', home: 'jetty.base' },
  { main: /^(?:jboss-modules\.jar|org\.jboss\.modules\.Main)$/, name: ofJboss, home: 'jboss.server.base.dir' },
  { main: /^com\.sun\.enterprise\.glassfish\.bootstrap\./, name: 'GlassFish' },
  { main: /^(?:ws-server\.jar|com\.ibm\.ws\.kernel\.boot\.)/, name: 'Open Liberty', home: 'server.output.dir' },
  { main: /^(?:quarkus-run\.jar|io\.quarkus\.bootstrap\.runner\.)/, name: ofQuarkus },
  { main: /^org\.keycloak\./, name: 'Keycloak' },
  { main: /^weblogic\.Server$/, name: 'WebLogic', home: 'weblogic.Name' },
  // Databases and search engines
  { main: /^org\.elasticsearch\.(?:server\/)?.*(?:Elasticsearch|CliToolLauncher)$/, name: 'Elasticsearch' },
  { main: /^org\.opensearch\.bootstrap\.OpenSearch$/, name: 'OpenSearch' },
  { main: /^org\.logstash\.Logstash$/, name: 'Logstash' },
  { main: /^kafka\.Kafka$/, name: 'Kafka' },
  { main: /^org\.apache\.kafka\.connect\./, name: 'Kafka Connect' },
  { main: /^org\.apache\.zookeeper\.server\./, name: 'ZooKeeper' },
  { main: /^org\.apache\.cassandra\.service\.CassandraDaemon$/, name: 'Cassandra' },
  { main: /^org\.apache\.solr\./, name: 'Solr', home: 'solr.solr.home' },
  { main: /^org\.apache\.hadoop\.hbase\./, name: 'HBase' },
  { main: /^org\.apache\.hadoop\.hdfs\.server\.namenode\./, name: 'Hadoop NameNode' },
  { main: /^org\.apache\.hadoop\.hdfs\.server\.datanode\./, name: 'Hadoop DataNode' },
  { main: /^org\.apache\.hadoop\./, name: 'Hadoop' },
  { main: /^org\.apache\.spark\.deploy\.SparkSubmit$/, name: ofSpark },
  { main: /^org\.apache\.spark\./, name: 'Spark' },
  { main: /^org\.apache\.flink\./, name: 'Flink' },
  { main: /^org\.apache\.activemq\./, name: 'ActiveMQ' },
  { main: /^(?:com\.neo4j|org\.neo4j)\./, name: 'Neo4j' },
  { main: /^org\.h2\.tools\.|^h2(?:-[\d.]+)?\.jar$/, name: 'H2' },
  { main: /^org\.hsqldb\.|^hsqldb(?:-[\d.]+)?\.jar$/, name: 'HSQLDB' },
  { main: /^org\.apache\.derby\.|^derbyrun\.jar$/, name: 'Derby' },
  // Build and development tools
  { main: /^(?:jenkins|hudson)(?:-[\d.]+)?\.war$/, name: 'Jenkins', home: 'JENKINS_HOME' },
  { main: /^(?:hudson\.remoting\.|agent\.jar$|remoting(?:-[\d.]+)?\.jar$)/, name: 'Jenkins Agent' },
  { main: /^org\.gradle\.launcher\.daemon\./, name: 'Gradle Daemon' },
  { main: /^worker\.org\.gradle\./, name: 'Gradle Worker' },
  { main: /^org\.gradle\.|^gradle-wrapper\.jar$/, name: 'Gradle' },
  {
    main: /^org\.codehaus\.(?:plexus\.)?classworlds\.launcher\.|^org\.apache\.maven\.wrapper\./,
    name: 'Maven',
    home: 'maven.multiModuleProjectDirectory',
  },
  { main: /^org\.apache\.maven\.surefire\.|^surefirebooter.*\.jar$/, name: 'Maven Surefire', home: 'basedir' },
  { main: /^org\.mvndaemon\./, name: 'Maven Daemon' },
  { main: /^org\.apache\.tools\.ant\.launch\./, name: 'Ant' },
  { main: /^(?:xsbt\.boot\.Boot|sbt-launch\.jar)$/, name: 'sbt' },
  { main: /^com\.intellij\.idea\.Main$|^com\.intellij\.platform\./, name: ofIntelliJ },
  { main: /^org\.jetbrains\.kotlin\.daemon\./, name: 'Kotlin Daemon' },
  { main: /^org\.jetbrains\.jps\./, name: 'IntelliJ Build' },
  { main: /^org\.eclipse\.equinox\.launcher/, name: ofEquinox },
  { main: /^org\.netbeans\./, name: 'NetBeans' },
  { main: /^org\.sonar\./, name: 'SonarQube' },
  // Runners of the scripts and classes named after them on the command line
  { main: /^org\.jetbrains\.kotlin\.(?:runner|cli)\./, name: ofScript },
  { main: /^(?:scala\.tools\.nsc\.|dotty\.tools\.)/, name: ofScript },
  { main: /^org\.(?:codehaus|apache)\.groovy\.tools\./, name: ofScript },
  { main: /^clojure\.main$/, name: ofScript },
  { main: /^org\.jruby\.Main$/, name: ofScript },
  { main: /^org\.python\.util\.jython$/, name: ofScript },
  { main: /^jdk\.jshell\.|^jdk\.internal\.jshell\./, name: 'JShell' },
  // Programs with windows
  {
    main: /^(?:net\.minecraft\.server\.|minecraft_server.*\.jar$|(?:paper|spigot|bukkit|purpur)(?:clip)?-[\d.-]+\.jar$)/,
    name: 'Minecraft Server',
  },
  { main: /^(?:net\.minecraft\.client\.|cpw\.mods\.bootstraplauncher\.)/, name: 'Minecraft' },
  { main: /^org\.gjt\.sp\.jedit\.|^jedit\.jar$/i, name: 'jEdit' },
  { main: /^com\.cburch\.logisim\.|^logisim\b.*\.jar$/i, name: 'Logisim' },
  { main: /^org\.freeplane\.|^freeplanelauncher\.jar$/i, name: 'Freeplane' },
  { main: /^(?:org\.knopflerfish\.|org\.freeplane\.launcher\.)/, name: 'Freeplane' },
  { main: /^com\.eteks\.sweethome3d\./, name: 'Sweet Home 3D' },
  { main: /^net\.sf\.freecol\.|^freecol\.jar$/i, name: 'FreeCol' },
  { main: /^(?:org\.openstreetmap\.josm\.|josm\b.*\.jar$)/, name: 'JOSM' },
  { main: /^tim\.prune\./, name: 'GpsPrune' },
  { main: /^(?:org\.pdfsam\.|pdfsam\b.*\.jar$)/, name: 'PDFsam' },
  { main: /^org\.apache\.jmeter\.|^ApacheJMeter\.jar$/, name: 'JMeter' },
  { main: /^(?:org\.jabref\.|.*\/org\.jabref\.)/, name: 'JabRef' },
  {
    main: /^(?:org\.gephi\.|net\.sourceforge\.plantuml\.Run$|plantuml.*\.jar$)/,
    name: (command) => (/gephi/.test(mainOf(command)) ? 'Gephi' : 'PlantUML'),
  },
];

/** Executables that contain their own virtual machine. */
const KNOWN_EXECUTABLES: ReadonlyMap<string, string> = new Map([
  ['soffice.bin', 'LibreOffice'],
  ['eclipse', 'Eclipse'],
  ['idea', 'IntelliJ IDEA'],
  ['pycharm', 'PyCharm'],
  ['webstorm', 'WebStorm'],
  ['goland', 'GoLand'],
  ['clion', 'CLion'],
  ['studio', 'Android Studio'],
  ['matlab', 'MATLAB'],
  ['dbeaver', 'DBeaver'],
]);

export interface Known {
  readonly name: string;
  /** The value that distinguishes this program from others of its kind; empty if nothing does. */
  readonly home: string;
  /** The script or class on the runner's command line. */
  readonly script?: string;
}

/** `names`: main class or module, file name of the jar; the first known one counts. */
export function knownProgram(names: readonly string[], command: JavaCommand): Known | null {
  for (const candidate of names) {
    for (const { main, name, home } of KNOWN) {
      if (!main.test(candidate)) continue;
      const found = typeof name === 'string' ? name : name(command);
      const script = name === ofScript ? scriptOf(command) : null;
      if (found !== null)
        return {
          name: found,
          home: home === undefined ? '' : (property(command.options, home) ?? ''),
          ...(script === null ? {} : { script }),
        };
    }
  }
  return null;
}

export function knownExecutable(file: string): string | null {
  return KNOWN_EXECUTABLES.get(path.basename(file)) ?? null;
}

const mainOf = ({ program }: JavaCommand) => program?.name ?? '';

function ofJboss({ args, options }: JavaCommand): string {
  const home = property(options, 'jboss.home.dir') ?? '';
  if (/keycloak/i.test(home)) return 'Keycloak';
  return args.some((argument) => /appclient/.test(argument)) ? 'WildFly Client' : 'WildFly';
}

/** `…/coffee/target/quarkus-app/quarkus-run.jar` is named after the app, not after Quarkus. */
function ofQuarkus({ options, program }: JavaCommand): string | null {
  if (property(options, 'kc.home.dir') !== null || /keycloak/i.test(program?.name ?? '')) return 'Keycloak';
  return property(options, 'quarkus.application.name');
}

function ofSpark({ args }: JavaCommand): string {
  const at = args.indexOf('--name');
  return (at === -1 ? undefined : args[at + 1]) ?? 'Spark';
}

/** `-Didea.paths.selector=PyCharm2024.1`. */
function ofIntelliJ({ options }: JavaCommand): string {
  const product = /^[A-Za-z]+/.exec(property(options, 'idea.paths.selector') ?? '')?.[0] ?? 'IntelliJIdea';
  if (/^(?:IntelliJIdea|IdeaI[CE]|Idea)/.test(product)) return 'IntelliJ IDEA';
  return product === 'AndroidStudio' ? 'Android Studio' : product;
}

function ofEquinox({ options, args }: JavaCommand): string {
  const application = property(options, 'eclipse.application') ?? args[args.indexOf('-application') + 1] ?? '';
  return /\bjdt\.ls\b/.test(application) ? 'Java Language Server' : 'Eclipse';
}

function ofScript(command: JavaCommand): string | null {
  const script = scriptOf(command);
  if (script === null) return null;
  return SCRIPT.test(script) ? path.basename(script).replace(/\.\w+$/, '') : script.replace(/^.*\./, '');
}

const SCRIPT = /^[\w./-]*\w\.(?:kts?|groovy|gvy|scala|sc|clj|rb|py|jar)$/;

/** The script or class that a runner was given: the first argument that is not an option. */
function scriptOf({ args }: JavaCommand): string | null {
  const script = args.find((argument) => SCRIPT.test(argument));
  if (script !== undefined) return script;
  const last = args.findLast((argument) => !argument.startsWith('-')) ?? '';
  return /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.exec(last)?.[0] ?? null;
}
