/** The JVM driver: Java programs on HotSpot, recognised by the virtual machine they have mapped. */
import type { ProbeDriver } from '../../probe.ts';
import { sweepOwnFolders } from '../../support/agent-files/agent-folder.ts';
import { needsNothing } from '../../support/launch.ts';
import { loadPart } from '../../support/load-part.ts';
import { checkAgentBuild } from './agent-build.ts';
import { JVM_FOLDER, TMP } from './jvm-folder.ts';
import { findVm, identifyJvm, installedVersion } from './jvm-identity.ts';
import type { JvmSettings } from './settings.ts';

const loadAttach = () => loadPart(() => import('./jvm-attach.ts'));

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

    async attach(process, tools) {
      const { interrupt_actions: interruptActions, jmx, swing } = config;
      const { attachJvm } = await loadAttach();
      const probe = await attachJvm(process, tools, { interruptActions, jmx, swing, maxKeys: tools.maxKeys });
      // A virtual machine that is just starting does not say yet which program it runs.
      const details = tools.inspect.details(process);
      return Object.assign(probe, { program: details ? identifyJvm(process, details, tools.inspect) : undefined });
    },

    diagnose: async (process, tools) => (await loadAttach()).diagnoseJvm(process, tools),
    help: (launch) => (launch.names.includes('java') ? needsNothing(launch, 'Java') : null),
    agent: { id: 'java', program: 'Java', check: checkAgentBuild },
  };
}
