import * as z from 'zod';

/** The container of an app, if it is not the daemon's own. */
export const appOrigin = z.object({
  /** `docker`, `podman`, `containerd`, `cri-o`, `lxc`, `systemd-nspawn`; null if it is not known. */
  engine: z.string().nullable(),
  /** The id of the container; null if it is known by its namespaces only. */
  id: z.string().nullable(),
  /** The name of the container, of its pod, or the beginning of the id. */
  name: z.string(),
  /** `namespace/name` of the pod in Kubernetes, or its uid; null if there is none. */
  pod: z.string().nullable(),
});
export type AppOrigin = z.infer<typeof appOrigin>;
