import fs from 'node:fs';
import path from 'node:path';
import { type App, says } from '../app.ts';
import { debianFile } from '../install.ts';
import { startCommand } from '../start.ts';

const SERVER = (port: number) => `<Server port="-1">
  <Service name="Catalina">
    <Connector port="${port}" address="127.0.0.1" protocol="HTTP/1.1"/>
    <Engine name="Catalina" defaultHost="localhost"><Host name="localhost" appBase="webapps"/></Engine>
  </Service>
</Server>`;
const WEB = '<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0"></web-app>';

/** Fills in the form of Tomcat's own example of sessions. */
const put = (url: string, name: string, value: string) =>
  fetch(`${url}/examples/servlets/servlet/SessionExample?dataname=${name}&datavalue=${value}`);

export const tomcat: App = {
  name: 'tomcat',
  debian: ['tomcat10-examples', 'tomcat10-common', 'libtomcat10-java'],
  start({ port, folder }) {
    const home = debianFile('tomcat', 'usr/share/tomcat10');
    for (const part of ['conf', 'temp', 'logs', 'work', 'webapps']) fs.mkdirSync(path.join(folder, part));
    fs.writeFileSync(path.join(folder, 'conf/server.xml'), SERVER(port));
    fs.writeFileSync(path.join(folder, 'conf/web.xml'), WEB);
    const examples = debianFile('tomcat', 'usr/share/tomcat10-examples/examples');
    fs.cpSync(examples, path.join(folder, 'webapps/examples'), { recursive: true, dereference: true });
    const places = [`-Dcatalina.base=${folder}`, `-Dcatalina.home=${home}`, `-Djava.io.tmpdir=${folder}/temp`];
    const classes = `${home}/bin/bootstrap.jar:${home}/bin/tomcat-juli.jar`;
    const main = ['org.apache.catalina.startup.Bootstrap', 'start'];
    return startCommand('java', [...places, '-cp', classes, ...main], { port, folder });
  },
  fill: async (url) => (await put(url, 'fruit', 'mango')).ok,
  ready: async () => true,
  tasks: [
    { kind: 'read', words: 'What is the attribute "fruit" of the session?', check: says('mango') },
    {
      kind: 'act',
      words: 'Press "stop" of the web module "examples".',
      check: async ({ url }) => (await put(url, 'x', 'y')).status === 404,
    },
    {
      kind: 'wait',
      words: 'Wait until the attribute "vegetable" of the session is "leek-and-chard".',
      event: ({ url }) => put(url, 'vegetable', 'leek-and-chard'),
      check: () => true,
    },
  ],
};
