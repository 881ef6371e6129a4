/** The JVM driver: Java programs on HotSpot, recognised by the virtual machine they have mapped. */
import type { ProbeDriver } from '../../probe.ts';
import { sweepOwnFolders } from '../../support/agent-files/agent-folder.ts';
import { needsNothing } from '../../support/launch.ts';
import { checkAgentBuild } from './agent-build.ts';
import { attachJvm, diagnoseJvm } from './jvm-attach.ts';
import { JVM_FOLDER, TMP } from './jvm-folder.ts';
import { findVm, identifyJvm, installedVersion } from './jvm-identity.ts';
import type { JvmSettings } from './settings.ts';

export function createJvmDriver(config: JvmSettings): ProbeDriver {
  return {
    sweep: (inspect) => void sweepOwnFolders(JVM_FOLDER, TMP, inspect),

    recognise(process, inspect) {
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
      const { interrupt_actions: interruptActions, jmx, swing } = config;
      return attachJvm(process, tools, { interruptActions, jmx, swing, maxKeys: tools.maxKeys });
    },

    diagnose: diagnoseJvm,
    help: (launch) => (launch.names.includes('java') ? needsNothing(launch, 'Java') : null),
    agent: { id: 'java', program: 'Java', check: checkAgentBuild },
  };
}
