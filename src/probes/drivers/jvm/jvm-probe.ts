/** The probe of a Java program: asks the agent inside it. */

import type { AgentFolder } from '../../support/agent-files/agent-folder.ts';
import type { Called } from '../../support/injected/agent-protocol.ts';
import { InjectedProbe, type InjectedProbeOptions } from '../../support/injected/injected-probe.ts';
import type { JvmChannel } from './agent-channel.ts';
import { JAVA_ROOTS } from './java-classes.ts';
import { JAVA } from './java-platform.ts';
import { JAVA_VALUES } from './java-values.ts';

const TRAITS = { platform: JAVA, values: JAVA_VALUES, map: 'map', isOnlyOneFound: true, roots: JAVA_ROOTS };

export class JvmProbe extends InjectedProbe {
  /** The probe owns `folder` from now on. */
  constructor(channel: JvmChannel, folder: AgentFolder, isAlive: () => boolean, options: InjectedProbeOptions) {
    super('jvmti', TRAITS, channel, folder, isAlive, options);
  }

  protected override describeCall(_message: string, { class: type, method, signature, instance, thread }: Called) {
    return { invocationContext: { class: type, method, descriptor: signature, instance, thread } };
  }
}
