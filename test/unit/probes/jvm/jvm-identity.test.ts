import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProcessDetails } from '../../../../src/model/process.ts';
import { parseJavaCommand } from '../../../../src/probes/drivers/jvm/java-command.ts';
import { findVm, identifyCommand } from '../../../../src/probes/drivers/jvm/jvm-identity.ts';
import { tempFolder } from '../../store/temp-folder.ts';

const identify = (line: string, cwd = '/srv/orders') =>
  identifyCommand(
    parseJavaCommand(`java ${line}`.split(' '), () => null),
    cwd,
    String,
  );
const nameOf = (line: string, cwd?: string) => identify(line, cwd)?.appName;

describe('the name of a Java program', () => {
  it.each([
    ['-cp a.jar com.example.coffeeshop.Main', 'Coffeeshop'],
    ['-cp a.jar com.example.coffeeshop.MainKt', 'Coffeeshop'],
    ['-cp a.jar com.example.coffeeshop.cli.App', 'Coffeeshop'],
    ['-cp a.jar com.example.OrderService', 'Order Service'],
    ['-cp a.jar com.example.petclinic.PetClinicApplication', 'Pet Clinic'],
    ['-cp a.jar com.example.HTTPGateway', 'HTTP Gateway'],
    ['-cp a.jar OrderDesk', 'Order Desk'],
    ['Hello.java', 'Hello'],
    ['/home/ada/examples/TeaHouse.java', 'Tea House'],
    ['Client.java', 'Client'],
    ['/tmp/Client.java', 'Client'],
    ['--enable-preview --source 21 -cp lib/a.jar src/Client.java --port 1', 'Client'],
    ['--source 17 /usr/local/bin/nightly', 'Nightly'],
    ['-m com.example.greeter/com.example.greeter.Main', 'Greeter'],
    ['-m com.example.greeter', 'Greeter'],
    ['-cp lib/tea-time-1.2.jar Main', 'Tea Time'],
    ['Main', 'Orders'],
    ['-jar order-service-1.4.2-SNAPSHOT.jar', 'Order Service'],
    ['-jar /opt/shop/app.jar', 'Shop'],
    ['-Dspring.application.name=billing -jar app.jar', 'billing'],
    ['-jar app.jar --spring.application.name=ledger', 'ledger'],
    ['-Xdock:name=Paint -cp x a.Main', 'Paint'],
    ['-Dcatalina.base=/srv/a org.apache.catalina.startup.Bootstrap start', 'Tomcat'],
    ['-jar /usr/share/jenkins/jenkins.war', 'Jenkins'],
    ['org.gradle.launcher.daemon.bootstrap.GradleDaemon 8.5', 'Gradle Daemon'],
    ['org.gradle.wrapper.GradleWrapperMain build', 'Gradle'],
    ['org.codehaus.plexus.classworlds.launcher.Launcher install', 'Maven'],
    ['kafka.Kafka server.properties', 'Kafka'],
    ['org.apache.zookeeper.server.quorum.QuorumPeerMain', 'ZooKeeper'],
    ['org.apache.hadoop.hbase.master.HMaster', 'HBase'],
    ['org.apache.cassandra.service.CassandraDaemon', 'Cassandra'],
    ['-m org.elasticsearch.server/org.elasticsearch.bootstrap.Elasticsearch', 'Elasticsearch'],
    ['-Djboss.home.dir=/opt/wildfly -jar /opt/wildfly/jboss-modules.jar -mp x', 'WildFly'],
    ['-Didea.paths.selector=PyCharm2024.1 com.intellij.idea.Main', 'PyCharm'],
    ['com.intellij.idea.Main', 'IntelliJ IDEA'],
    ['org.codehaus.groovy.tools.GroovyStarter --main groovy.ui.GroovyMain jobs/nightly.groovy', 'nightly'],
    ['org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -script report.kts', 'report'],
    ['org.h2.tools.Server -tcp', 'H2'],
    ['-jar /srv/coffee/target/quarkus-app/quarkus-run.jar', 'Coffee'],
    ['-jar paper-1.20.4-331.jar nogui', 'Minecraft Server'],
    ['-Dapp.name=pdfsam-basic -m org.pdfsam.basic/org.pdfsam.basic.App', 'PDFsam'],
    ['-Dapp.name=tea-house -cp lib/a.jar com.example.shop.App', 'Tea House'],
    ['-Dapp.name=launcher -cp lib/a.jar com.example.shop.App', 'Shop'],
    ['-cp lib/x.jar org.apache.jmeter.NewDriver', 'JMeter'],
    ['-jar bin/ApacheJMeter.jar', 'JMeter'],
    ['-cp lib/x.jar:lib/ApacheJTeapot_core.jar com.example.jteapot.NewDriver', 'JTeapot'],
    ['-cp x.jar com.ca.directory.jxplorer.JXplorer', 'JXplorer'],
    ['-cp lib/JXplorer.jar com.ca.directory.jxplorer.Main', 'JXplorer'],
    ['-cp /usr/share/java/basex.jar org.basex.BaseXServer -p 1984', 'BaseX'],
    ['-cp lib/figtree.jar:lib/jam.jar figtree.application.FigTreeApplication', 'FigTree'],
    ['-cp lib/mail.jar:lib/davmail-6.0.1.jar davmail.DavGateway', 'Davmail'],
    ['-cp lib/jna.jar:lib/nailgun-server.jar com.martiansoftware.nailgun.NGServer', 'Nailgun'],
    ['-cp lib/ij.jar ij.ImageJ', 'ImageJ'],
    ['-cp lib/x.jar com.mckoi.runtime.McKoiDBMain', 'McKoi DB'],
    ['-jar OrderManager.jar', 'Order Manager'],
    ['-jar eMailClient.jar', 'eMail Client'],
  ])('%s: %s', (line, name) => {
    expect(nameOf(line)).toBe(name);
  });
});

describe('a program with an entry in the menu of the desktop', () => {
  it('is called as there, unless the entry is of another program', () => {
    const root = tempFolder();
    const applications = path.join(root, 'usr/share/applications');
    fs.mkdirSync(applications, { recursive: true });
    const entry = (id: string, text: string) => fs.writeFileSync(path.join(applications, `${id}.desktop`), text);
    entry(
      'teahouse',
      '[Desktop Entry]\nType=Application\nName=TeaHOUSE\nName[de]=Teehaus\n[Desktop Action x]\nName=New',
    );
    entry('order', '[Desktop Entry]\nName=Order Viewer\n');
    entry('ledger', '[Desktop Action x]\nName=Ledger!\n');
    const called = (line: string) =>
      identifyCommand(
        parseJavaCommand(`java ${line}`.split(' '), () => null),
        '/srv',
        (file) => path.join(root, file),
      )?.appName;
    expect(called('-Dapp.name=teahouse-basic -cp x.jar a.Main')).toBe('TeaHOUSE');
    expect(called('-cp x.jar com.example.TeaHouse')).toBe('TeaHOUSE');
    expect(called('-cp x.jar com.example.OrderService')).toBe('Order Service');
    expect(called('-cp x.jar com.example.Ledger')).toBe('Ledger');
  });
});

describe('the identity of a Java program', () => {
  it('is where it lies, and not what it was given', () => {
    expect(identify('-jar app.jar --port 1')).toEqual(identify('-Xmx1g -jar /srv/orders/app.jar --port 2', '/'));
    expect(identify('-cp a.jar x.Main')?.identity).not.toBe(identify('-cp b.jar x.Main')?.identity);
    expect(identify('-cp a.jar x.Main')?.identity).not.toBe(identify('-cp a.jar x.Main', '/srv/other')?.identity);
  });

  it('is the file of a source that is run as it is', () => {
    expect(identify('Client.java a')?.identity).toBe('jvm:source:/srv/orders/Client.java');
    expect(identify('--source 21 ./Client.java b')).toEqual(identify('-Xmx1g /srv/orders/Client.java', '/'));
    expect(identify('Client.java', '/srv/other')?.identity).not.toBe(identify('Client.java')?.identity);
  });

  it('knows installations of one server apart', () => {
    const tomcat = (base: string) => identify(`-Dcatalina.base=${base} org.apache.catalina.startup.Bootstrap start`);
    expect(tomcat('/srv/a')?.identity).not.toBe(tomcat('/srv/b')?.identity);
  });

  it('tells services of one jar apart, and the scripts of one runner, and has the identity of before beside it', () => {
    const service = (name: string) => identify(`-Dspring.application.name=${name} -jar app.jar`);
    expect(service('orders')).toEqual({
      appName: 'orders',
      identity: 'jvm:jar:/srv/orders/app.jar#orders',
      earlier: ['jvm:jar:/srv/orders/app.jar'],
    });
    expect(service('bills')?.identity).not.toBe(service('orders')?.identity);
    expect(identify('-Dapp.name=till -jar app.jar')?.identity).toBe('jvm:jar:/srv/orders/app.jar#till');
    const script = (file: string, cwd?: string) => identify(`-cp /usr/share/clojure.jar clojure.main ${file}`, cwd);
    expect(script('jobs/nightly.clj')).toEqual({
      appName: 'nightly',
      identity: 'jvm:class:clojure.main:/srv/orders/jobs/nightly.clj',
      earlier: ['jvm:class:clojure.main'],
    });
    expect(script('jobs/nightly.clj', '/srv/bills')?.identity).not.toBe(script('jobs/nightly.clj')?.identity);
    expect(identify('org.codehaus.groovy.tools.GroovyStarter --main groovy.ui.GroovyMain')?.identity).toBe(
      'jvm:class:org.codehaus.groovy.tools.GroovyStarter:groovy.ui.GroovyMain',
    );
  });

  it('has no folder in it that is another the next time', () => {
    const booter = (folder: string, file: string) => identify(`-jar /tmp/${folder}/${file}`, '/');
    expect(booter('surefire81237', 'surefirebooter123456.jar')).toEqual(
      booter('surefire99', 'surefirebooter98765.jar'),
    );
  });
});

describe('the virtual machine', () => {
  it('is OpenJ9 by its library', () => {
    const modules = ['/opt/j9/lib/default/libj9vm29.so', '/opt/j9/lib/j9vm/libjvm.so'];
    expect(findVm({ modules, threads: [] } as unknown as ProcessDetails)?.isOpenJ9).toBe(true);
    // A forked child.
    expect(findVm({ modules, threads: ['java'] } as unknown as ProcessDetails)).toBeNull();
  });
});
