import { describe, expect, it } from 'vitest';
import {
  dockerName,
  findPodLog,
  parseCgroup,
  parseConmon,
  parsePodName,
} from '../../../src/host/linux/container-names.ts';

const ID = '3f4e5d6c7b8a'.padEnd(64, '0');
const OTHER = 'a1'.padEnd(64, 'b');
const POD = '1b4e28ba-2fa1-11d2-883f-0016d3cca427';

describe('the control group of a process', () => {
  it.each([
    ['Docker with systemd', `0::/system.slice/docker-${ID}.scope`, 'docker'],
    ['Docker with cgroups of version 1', `4:memory:/docker/${ID}\n0::/system.slice/containerd.service`, 'docker'],
    ['Docker of a user', `0::/user.slice/user-1000.slice/user@1000.service/user.slice/docker-${ID}.scope`, 'docker'],
    ['Podman', `0::/machine.slice/libpod-${ID}.scope/container`, 'podman'],
    ['Podman without systemd', `0::/libpod_parent/libpod-${ID}`, 'podman'],
    ['containerd', `0::/system.slice/nerdctl-${ID}.scope`, 'containerd'],
    ['a sidecar, from beside it', `0::/../cri-containerd-${ID}.scope`, 'containerd'],
    ['the innermost of two', `0::/docker/${OTHER}/docker/${ID}`, 'docker'],
    ['an engine that is not known', `0::/ecs/task/${ID}`, null],
    ['no engine, but the name of a property', `0::/constructor/${ID}`, null],
  ])('of %s', (_, text, engine) => {
    expect(parseCgroup(text)).toEqual({ engine, id: ID, podUid: null });
  });

  it.each([
    [
      `0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${POD.replaceAll('-', '_')}.slice/cri-containerd-${ID}.scope`,
    ],
    [`0::/kubepods.slice/kubepods-pod${POD.replaceAll('-', '_')}.slice/crio-${ID}.scope`],
    [`5:cpu:/kubepods/besteffort/pod${POD}/${ID}`],
  ])('of a pod: %s', (text) => {
    expect(parseCgroup(text)).toMatchObject({ id: ID, podUid: POD });
  });

  it.each([
    ['0::/lxc.payload.web-1/system.slice/ssh.service', 'lxc', 'web-1'],
    ['3:cpu:/lxc/web-1', 'lxc', 'web-1'],
    ['0::/machine.slice/machine-web\\x2d1.scope/payload', 'systemd-nspawn', 'web-1'],
    ['0::/machine.slice/systemd-nspawn@web.service/payload/x', 'systemd-nspawn', 'web'],
  ])('of a container with a name alone: %s', (text, engine, id) => {
    expect(parseCgroup(text)).toEqual({ engine, id, podUid: null });
  });

  it.each([
    ['0::/user.slice/user-1000.slice/session-3.scope'],
    ['0::/system.slice/docker.service'],
    ['0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-flatpak-org.gimp.GIMP-1234.scope'],
    ['0::/lxc/../../etc'],
    [`0::/${ID}x`],
    [''],
  ])('of no container: %s', (text) => {
    expect(parseCgroup(text)).toBeNull();
  });
});

it('reads the name of a container off the program that started it', () => {
  expect(parseConmon(['/usr/bin/conmon', '--api-version', '1', '-c', ID, '-u', ID, '-n', 'web-1'])).toEqual({
    id: ID,
    name: 'web-1',
  });
  expect(parseConmon(['conmon', '-c', ID, '-n', '../x y'])).toEqual({ id: ID, name: null });
  expect(parseConmon(['/usr/bin/sleep', '-c', ID, '-n', 'web-1'])).toBeNull();
  expect(parseConmon(['conmon', '-c'])).toBeNull();
  expect(parseConmon([])).toBeNull();
});

it('reads the pod out of what the kubelet has written', () => {
  const found = { namespace: 'shop', pod: 'web-7d9f-x2', container: 'app' };
  expect(parsePodName(`k8s_app_web-7d9f-x2_shop_${POD}_0`)).toEqual(found);
  expect(parsePodName('web-1')).toBeNull();
  expect(findPodLog(['x.log', `web-7d9f-x2_shop_app-${ID}.log`], ID)).toEqual(found);
  expect(findPodLog([`web-7d9f-x2_shop_app-${OTHER}.log`], ID)).toBeNull();
});

it('reads the name that Docker keeps', () => {
  expect(dockerName({ Name: '/web-1' })).toBe('web-1');
  expect(dockerName({ Name: '/a b' })).toBeNull();
  expect(dockerName({ Name: 3 })).toBeNull();
  expect(dockerName(null)).toBeNull();
});
