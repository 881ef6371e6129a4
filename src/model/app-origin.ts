import * as z from 'zod';

/** The container of an app, where that is another than the daemon's. */
export const appOrigin = z.object({
  /** `docker`, `podman`, `containerd`, `cri-o`, `lxc`, `systemd-nspawn`; null: it is not known. */
  engine: z.string().nullable(),
  /** The id of the container; null: it is known by its namespaces alone. */
  id: z.string().nullable(),
  /** The name of the container, of its pod, or the beginning of the id. */
  name: z.string(),
  /** `namespace/name` of the pod in Kubernetes, or its uid; null: there is none. */
  pod: z.string().nullable(),
});
export type AppOrigin = z.infer<typeof appOrigin>;
