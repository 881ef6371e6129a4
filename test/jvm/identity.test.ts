import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import type { ProcessDetails } from '../../src/model/process.ts';
import { parseJavaCommand } from '../../src/probes/drivers/jvm/java-command.ts';
import { findVm, identifyCommand, identifyJvm, installedVersion } from '../../src/probes/drivers/jvm/jvm-identity.ts';
import { classesOf, jdks, SHOP, startJava, startVm } from '../support/java.ts';
import { endAll } from '../support/real-processes.ts';

const folder = fs.mkdtempSync(path.join(os.homedir(), '.substrate-identity-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
afterEach(endAll);

const nameOf = (line: string) =>
  identifyCommand(
    parseJavaCommand(`java ${line}`.split(' '), () => null),
    '/srv/orders',
    String,
  )?.appName;

function makeJar(name: string, manifest: string): string {
  const jar = path.join(folder, name);
  fs.writeFileSync(path.join(folder, 'manifest'), manifest);
  spawnSync('jar', ['cfm', jar, path.join(folder, 'manifest'), '-C', folder, 'manifest']);
  return jar;
}

describe('the name of a Java program', () => {
  it('is what the manifest of a jar says', () => {
    const titled = makeJar('x1.jar', 'Implementation-Title: Sweet Tea\nMain-Class: a.Main\n');
    expect(nameOf(`-jar ${titled}`)).toBe('Sweet Tea');
    const bundle = makeJar('x2.jar', 'Bundle-Name: mail-tool\nMain-Class: a.Main\n');
    expect(nameOf(`-jar ${bundle}`)).toBe('Mail Tool');
    const boot = makeJar(
      'app.jar',
      'Main-Class: org.springframework.boot.loader.launch.JarLauncher\nStart-Class: com.example.ledger.LedgerApplication\n',
    );
    expect(nameOf(`-jar ${boot}`)).toBe('Ledger');
    const jetty = makeJar('start.jar', 'Main-Class: org.eclipse.jetty.start.Main\nImplementation-Title: Start\n');
    expect(nameOf(`-jar ${jetty}`)).toBe('Jetty');
  });
});

describe('real Java programs', () => {
  const { inspector } = createHost();
  const identityOf = ({ info }: Awaited<ReturnType<typeof startJava>>) => {
    const details = inspector.details(info);
    return details && identifyJvm(info, details, inspector);
  };

  it.each(jdks().map(({ version }) => version))('on Java %i are named and versioned', async (jdk) => {
    const target = await startJava(SHOP, { jdk });
    expect(identityOf(target)).toEqual({
      appName: 'Coffeeshop',
      // For a clone in the temporary folder only the last name counts.
      identity: expect.stringMatching(new RegExp(`^jvm:class:${SHOP.main}@(?:${classesOf(SHOP.target)}|shop)$`)),
    });
    const vm = findVm(inspector.details(target.info) as ProcessDetails);
    expect(vm).toMatchObject({ isOpenJ9: false });
    expect(installedVersion(vm?.library ?? '', String)).toBe(jdk);
  });

  it('are named by an argument file, or by HotSpot where that is gone', async () => {
    const file = path.join(folder, 'arguments');
    fs.writeFileSync(file, `-cp ${classesOf(SHOP.target)}\n${SHOP.main}\n`);
    const target = await startVm([`@${file}`]);
    const named = identityOf(target);
    expect(named?.appName).toBe('Coffeeshop');
    fs.rmSync(file);
    expect(identityOf(target)?.appName).toBe('Coffeeshop');
  });

  it('that are run from their source are named by its file', async () => {
    const file = path.join(folder, 'Client.java');
    fs.writeFileSync(
      file,
      `class Client { public static void main(String[] a) throws Exception { System.out.println("up"); System.in.read(); } }`,
    );
    // For a home in the temporary folder only the last name counts.
    const identity = expect.stringMatching(new RegExp(`^jvm:source:(?:${file}|Client\\.java)$`));
    const options = ['-Xmx64m', '-Dx=1', '-cp', folder, '--source', '17'];
    const target = await startVm([...options, file, 'argument'], { ready: /up/ });
    expect(identityOf(target)).toEqual({ appName: 'Client', identity });
    const list = path.join(folder, 'source-arguments');
    fs.writeFileSync(list, [...options, file].join(' '));
    const listed = await startVm([`@${list}`], { ready: /up/ });
    expect(identityOf(listed)).toEqual({ appName: 'Client', identity });
    fs.rmSync(list);
    expect(identityOf(listed)).toEqual({ appName: 'Client', identity });
  });

  it('of the JDK itself bear the name of the tool', async () => {
    const target = await startVm([], { tool: 'jshell', ready: /JShell/ });
    expect(identityOf(target)?.appName).toBe('jshell');
  });
});
