/**
 * The methods of the results service (`github.actions.results.api.v1.ArtifactService`) that clients call here, over what it remembers of one
 * run and a real blob container.
 */

import { request } from "undici";
import * as z from "zod/mini";
import type { BlobContainer } from "./azurite.ts";

const RunIds = {
  workflow_run_backend_id: z.string().check(z.minLength(1)),
  workflow_job_run_backend_id: z.string().check(z.minLength(1)),
};

const ArtifactName = z.string().check(z.minLength(1), z.regex(/^[^":<>|*?\r\n\\/]+$/));

/** Bodies of the methods; the client leaves defaults out and sends 64-bit integers as strings. */
const ArtifactRequests = {
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
} as const;
type ArtifactMethod = keyof typeof ArtifactRequests;

/** An artifact as the service knows it. */
export interface StoredArtifact {
  readonly id: number;
  readonly name: string;
  readonly mimeType: string | undefined;
  readonly expiresAt: string | undefined;
  readonly createdAt: string;
  /** Unset until it is finalised; until then it is not listed but its name is taken. */
  finalized: { readonly size: number; readonly digest: string } | undefined;
}

/** An answer in Twirp's form other than success. */
export class TwirpError extends Error {
  readonly status: 400 | 401 | 404 | 409 | 412;
  readonly code: string;

  constructor(status: TwirpError["status"], code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

type Body<Method extends ArtifactMethod> = z.output<(typeof ArtifactRequests)[Method]>;

/** What the service remembers of one workflow run. */
export interface ArtifactStore {
  readonly container: BlobContainer;
  readonly artifacts: Map<string, StoredArtifact>;
  /** Identifiers are never used twice. */
  readonly nextId: () => number;
  /** Presigned link for the upload of a blob. */
  readonly uploadLink: (blob: string) => string;
}

/** Name of an artifact's blob in the container. */
export const blobOf = ({ id }: StoredArtifact) => `artifact-${id}`;

function findArtifact({ artifacts }: ArtifactStore, name: string): StoredArtifact {
  const artifact = artifacts.get(name);
  if (artifact === undefined) throw new TwirpError(404, "not_found", `no artifact named ${name}`);
  return artifact;
}

async function blobLength({ container }: ArtifactStore, artifact: StoredArtifact): Promise<number> {
  const response = await request(container.sign(blobOf(artifact), "read"), { method: "HEAD" });
  await response.body.dump();
  if (response.statusCode !== 200) throw new TwirpError(412, "failed_precondition", "nothing was uploaded");
  return Number(response.headers["content-length"]);
}

/** Each takes its checked body. */
const methods: { [Method in ArtifactMethod]: (body: Body<Method>, store: ArtifactStore) => unknown } = {
  CreateArtifact({ name, mime_type, expires_at }, store) {
    if (store.artifacts.has(name)) {
      throw new TwirpError(
        409,
        "already_exists",
        "an artifact with this name already exists on the workflow run",
      );
    }
    const artifact: StoredArtifact = {
      id: store.nextId(),
      name,
      mimeType: mime_type,
      expiresAt: expires_at,
      createdAt: new Date().toISOString(),
      finalized: undefined,
    };
    store.artifacts.set(name, artifact);
    return { ok: true, signed_upload_url: store.uploadLink(blobOf(artifact)) };
  },
  async FinalizeArtifact({ name, size, hash }, store) {
    const artifact = findArtifact(store, name);
    const length = await blobLength(store, artifact);
    if (length !== Number(size)) {
      throw new TwirpError(400, "invalid_argument", `the blob has ${length} bytes, not ${size}`);
    }
    artifact.finalized = { size: length, digest: hash };
    return { ok: true, artifact_id: String(artifact.id) };
  },
  ListArtifacts({ name_filter, id_filter, ...ids }, { artifacts }) {
    const listed = [...artifacts.values()].flatMap(({ id, name, createdAt, finalized }) =>
      finalized === undefined ||
      (name_filter !== undefined && name_filter !== name) ||
      (id_filter !== undefined && id_filter !== String(id))
        ? []
        : [
            {
              ...ids,
              database_id: String(id),
              name,
              size: String(finalized.size),
              created_at: createdAt,
              digest: finalized.digest,
            },
          ],
    );
    return { artifacts: listed };
  },
  GetSignedArtifactURL({ name }, store) {
    return { signed_url: store.container.sign(blobOf(findArtifact(store, name)), "read") };
  },
};

/**
 * Checks a call and carries it out.
 *
 * @throws {TwirpError} with the service's own codes.
 */
export async function callMethod(
  name: string,
  { body, store }: { body: unknown; store: ArtifactStore },
): Promise<unknown> {
  if (!(name in ArtifactRequests)) throw new TwirpError(404, "bad_route", `no method ${name}`);
  const method = name as ArtifactMethod;
  const parsed = ArtifactRequests[method].safeParse(body);
  if (!parsed.success) throw new TwirpError(400, "malformed", parsed.error.message);
  const call = methods[method] as (body: unknown, store: ArtifactStore) => unknown;
  return call(parsed.data, store);
}
