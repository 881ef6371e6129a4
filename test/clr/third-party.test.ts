/** Third-party programs, as published. */
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { clr } from '../../src/probes/drivers/clr/declaration.ts';
import { createClrDriver } from '../../src/probes/drivers/clr/driver.ts';
import { commandOf, isHere } from '../support/dotnet.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { startProgram } from '../support/programs.ts';
import { endAll, until } from '../support/real-processes.ts';

const driver = createClrDriver(clr.settings.parse({}));
const { inspector } = createHost();
const env = { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };
/** Requests the tools of an MCP server. */
const HELLO = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'visitor', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

afterEach(endAll);

describe.runIf(isHere('net9'))('a server that brings .NET 9 along', () => {
  it('shows who talks to it, and takes another name for them', async () => {
    const azmcp = path.resolve(path.dirname(commandOf('net9')), '../mcp-linux-x64/dist/azmcp');
    const server = await startProgram(azmcp, ['server', 'start'], { env, input: HELLO, ready: /"id":2/ });
    expect(driver.recognise(server.info, inspector)).toMatchObject({
      appName: 'Azure MCP Server',
      runtimeName: '.NET 9.0.1',
    });
    const app = await ProbedApp.attach(driver, server.info);
    expect(await app.read()).toMatchObject({
      'mcpServer.ClientInfo.Name': 'visitor',
      'mcpServer.ServerOptions.ProtocolVersion': '2024-11-05',
      'mcpServer._session._transportKind': 'stdio',
      'host.application': 'azmcp',
      'host.started': true,
      'host.hosted_services[1]': 'SingleSessionMcpServerHostedService',
    });
    expect(app.confidence).toBeGreaterThanOrEqual(0.8);
    const clientInfo = { name: 'guest', version: '2' };
    expect(await app.invoke('mcpServer.setClientInfo', { clientInfo })).toMatchObject({ ok: true });
    expect(await app.read()).toMatchObject({
      'mcpServer.ClientInfo.Name': 'guest',
      'mcpServer.ClientInfo.Version': '2',
    });
    await app.probe.detach();
    expect(server.exitCode()).toBeNull();
  });
});

describe.runIf(isHere('net8'))('a server in a single file, on .NET 8', () => {
  const CONFIG = 'ConnectionOperations._connectionOperations.serverConfig';
  const SETTER = `${CONFIG}.setApplicationName`;

  it('shows its services, and takes another setting', async () => {
    const server = await startProgram(commandOf('net8'), ['--start'], { env, ready: /Application started/ });
    expect(driver.recognise(server.info, inspector)).toMatchObject({
      appName: 'Powerbi Modeling Mcp',
      runtimeName: '.NET 8.0.30',
    });
    const app = await ProbedApp.attach(driver, server.info);
    expect(await app.read()).toMatchObject({
      [`${CONFIG}.Mode`]: 'ReadWrite',
      [`${CONFIG}.DaxQuery.MaxRowLimit`]: 100,
      [`${CONFIG}.AllowedConnectionHosts.size`]: 2,
      'ConnectionHostValidator.configuration.AllowedHosts[0]': 'localhost',
      'host.application': 'powerbi-modeling-mcp',
      'host.environment': 'Production',
    });
    expect(app.confidence).toBeGreaterThanOrEqual(0.8);
    // It creates temporary containers before it starts: their objects were never state.
    const keys = Object.keys(app.state);
    await app.until('what its setters do', () => app.schema(SETTER).reversibility === 'reversible_write');
    expect(Object.keys(app.state)).toEqual(keys);
    await app.invoke(SETTER, { applicationName: 'Renamed' });
    expect((await app.read())[`${CONFIG}.ApplicationName`]).toBe('Renamed');
    await app.probe.detach();
    server.write(HELLO);
    await until('its answer', () => server.output().includes('"id":2'));
    expect(server.exitCode()).toBeNull();
  });
});
