/** The JVM driver: Java programs on HotSpot, recognised by the virtual machine they have mapped. */
import type { Config } from '../../model/config.ts';
import { sweepOwnFolders } from '../agent-files/agent-folder.ts';
import type { ProbeDriver } from '../probe.ts';
import { attachJvm } from './jvm-attach.ts';
import { JVM_FOLDER, TMP } from './jvm-folder.ts';
import { findVm, identifyJvm, installedVersion } from './jvm-identity.ts';

export function createJvmDriver(config: Config['probe']['jvm']): ProbeDriver {
  let hasSwept = false;
  return {
    recognise(process, inspect) {
      // Once: what was left when a daemon and then its Java programs were killed.
      if (!hasSwept) void sweepOwnFolders(JVM_FOLDER, TMP, inspect);
      hasSwept = true;
      const details = inspect.details(process);
      const vm = details && findVm(details);
      if (!details || !vm) return null;
      const version = installedVersion(vm.library, (file) => inspect.resolvePath(process, file));
      const hotSpot = version === null ? 'JVM' : `OpenJDK ${version}`;
      return {
        runtime: 'jvm',
        runtimeName: vm.isOpenJ9 ? 'OpenJ9' : hotSpot,
        ...identifyJvm(process, details, inspect),
      };
    },

    attach(process, tools) {
      const { action_timeout_ms: actionTimeoutMs, jmx, swing } = config;
      return attachJvm(process, tools, { actionTimeoutMs, jmx, swing, maxKeys: tools.maxKeys });
    },
  };
}
