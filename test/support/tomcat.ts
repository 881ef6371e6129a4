/**
 * A Tomcat of the distribution with a base of its own: one connector on a free port, one web app of test/targets/java.
 */
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { classesOf, QUICK, startVm } from './java.ts';
import type { Target } from './targets.ts';

const HOME = '/usr/share/tomcat10';

const SERVER = (port: number) => `<Server port="-1">
  <Service name="Catalina">
    <Connector port="${port}" address="127.0.0.1" protocol="HTTP/1.1"/>
    <Engine name="Catalina" defaultHost="localhost"><Host name="localhost" appBase="webapps"/></Engine>
  </Service>
</Server>`;

/** Debian's package for this has a service that would be started: the web app needs only this part. */
const WEB = `<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
  <servlet>
    <servlet-name>default</servlet-name>
    <servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
  </servlet>
  <servlet-mapping><servlet-name>default</servlet-name><url-pattern>/</url-pattern></servlet-mapping>
  <session-config><session-timeout>30</session-timeout></session-config>
</web-app>`;

export interface Tomcat extends Target {
  readonly origin: string;
  /** Call it after its end. */
  removeBase(): void;
}

/** `webapp`: a folder of test/targets/java, served under its own name. */
export async function startTomcat(webapp: string): Promise<Tomcat> {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'tomcat-base-'));
  const port = await freePort();
  for (const folder of ['conf', 'temp', 'logs', 'work']) fs.mkdirSync(path.join(base, folder));
  fs.writeFileSync(path.join(base, 'conf/server.xml'), SERVER(port));
  fs.writeFileSync(path.join(base, 'conf/web.xml'), WEB);
  fs.cpSync(classesOf(webapp), path.join(base, 'webapps', webapp, 'WEB-INF/classes'), { recursive: true });
  // The command of catalina.sh.
  const target = await startVm(
    [
      QUICK,
      '-cp',
      `${HOME}/bin/bootstrap.jar:${HOME}/bin/tomcat-juli.jar`,
      `-Dcatalina.base=${base}`,
      `-Dcatalina.home=${HOME}`,
      `-Djava.io.tmpdir=${path.join(base, 'temp')}`,
      'org.apache.catalina.startup.Bootstrap',
      'start',
    ],
    { ready: /Server startup in/ },
  );
  return {
    ...target,
    origin: `http://127.0.0.1:${port}`,
    removeBase: () => fs.rmSync(base, { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
