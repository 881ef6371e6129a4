import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { OWN_NETWORK } from '../../src/host/own-network.ts';
import { findEndpoint } from '../../src/probes/drivers/v8/browser/endpoint.ts';
import { CdpConnection } from '../../src/probes/drivers/v8/cdp/cdp-connection.ts';
import { chromiumName, detectV8 } from '../../src/probes/drivers/v8/detect.ts';
import { identifyNw } from '../../src/probes/drivers/v8/electron/nw-identity.ts';
import { endAll, until } from '../support/real-processes.ts';
import { hasRuntime, RUNTIME_TARGETS, removeHomes, startNw } from '../support/runtimes.ts';

const { inspector } = createHost();
const SHOP = path.join(RUNTIME_TARGETS, 'electron/nw-shop');

describe.runIf(hasRuntime('nw'))('NW.js', () => {
  afterEach(endAll);
  afterAll(removeHomes);

  it('is one app of the Chromium family, named by its package, and reached through its debugging port', async () => {
    const { info } = await startNw({ args: [SHOP, '--remote-debugging-port=0'] });
    await until('the port', () => inspector.listeners(info).length > 0);
    expect(detectV8(info, inspector)).toBe('chromium');
    expect(chromiumName(info, inspector)).toBe('NW.js');
    expect(identifyNw(info, (file) => file)).toEqual({ appName: 'nw-shop', identity: `nw:${SHOP}` });
    const family = (await createHost().scanner.scan()).appeared.filter(({ exe }) => exe?.includes('@nwjs-binaries'));
    expect(family.length).toBeGreaterThan(3);
    expect(family.filter((process) => detectV8(process, inspector) !== null)).toHaveLength(1);

    const connection = await CdpConnection.open(OWN_NETWORK, await findEndpoint(info, 'NW.js', inspector), 5000);
    const page = await until('the page', async () => {
      const { targetInfos } = await connection.send('Target.getTargets');
      const infos = targetInfos as { targetId: string; type: string; url: string }[];
      return infos.find(({ type, url }) => type === 'page' && url.endsWith('/index.html'));
    });
    const { sessionId } = await connection.send('Target.attachToTarget', { targetId: page.targetId, flatten: true });
    const session = connection.child(String(sessionId));
    await until('the script', async () => {
      const { result } = await session.send('Runtime.evaluate', { expression: 'typeof visits === "number" && visits' });
      return (result as { value: unknown }).value === 3;
    });
    await connection.close();
  });

  it('says what helps when it has no port', async () => {
    const { info } = await startNw({ args: [SHOP] });
    await expect(findEndpoint(info, 'NW.js', inspector)).rejects.toThrow(
      /^This NW\.js runs without a debugging port.*--remote-debugging-port=0/,
    );
  });
});
