/** The wire of the Actions results service (`github.actions.results.api.v1.ArtifactService`), as its clients send it. */

import { z } from "zod";

const RunIds = {
  workflow_run_backend_id: z.string().min(1),
  workflow_job_run_backend_id: z.string().min(1),
};

const ArtifactName = z
  .string()
  .min(1)
  .regex(/^[^":<>|*?\r\n\\/]+$/);

/** Bodies of the five methods; the client leaves defaults out and sends 64-bit integers as strings. */
export const ArtifactRequests = {
  CreateArtifact: z.strictObject({
    ...RunIds,
    name: ArtifactName,
    version: z.literal(7),
    mime_type: z.string().optional(),
    expires_at: z.iso.datetime().optional(),
  }),
  FinalizeArtifact: z.strictObject({
    ...RunIds,
    name: ArtifactName,
    size: z.string().regex(/^\d+$/).default("0"),
    hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  }),
  ListArtifacts: z.strictObject({
    ...RunIds,
    name_filter: z.string().optional(),
    id_filter: z.string().optional(),
  }),
  GetSignedArtifactURL: z.strictObject({ ...RunIds, name: ArtifactName }),
  DeleteArtifact: z.strictObject({ ...RunIds, name: ArtifactName }),
} as const;
export type ArtifactMethod = keyof typeof ArtifactRequests;
