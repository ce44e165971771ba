/** The wire of the Actions results service (`github.actions.results.api.v1.ArtifactService`), as its clients send it. */

import * as z from "zod/mini";

const RunIds = {
  workflow_run_backend_id: z.string().check(z.minLength(1)),
  workflow_job_run_backend_id: z.string().check(z.minLength(1)),
};

const ArtifactName = z.string().check(z.minLength(1), z.regex(/^[^":<>|*?\r\n\\/]+$/));

/** Bodies of the five methods; the client leaves defaults out and sends 64-bit integers as strings. */
export const ArtifactRequests = {
  CreateArtifact: z.strictObject({
    ...RunIds,
    name: ArtifactName,
    version: z.literal(7),
    mime_type: z.optional(z.string()),
    expires_at: z.optional(z.iso.datetime()),
  }),
  FinalizeArtifact: z.strictObject({
    ...RunIds,
    name: ArtifactName,
    size: z._default(z.string().check(z.regex(/^\d+$/)), "0"),
    hash: z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/)),
  }),
  ListArtifacts: z.strictObject({
    ...RunIds,
    name_filter: z.optional(z.string()),
    id_filter: z.optional(z.string()),
  }),
  GetSignedArtifactURL: z.strictObject({ ...RunIds, name: ArtifactName }),
  DeleteArtifact: z.strictObject({ ...RunIds, name: ArtifactName }),
} as const;
export type ArtifactMethod = keyof typeof ArtifactRequests;
